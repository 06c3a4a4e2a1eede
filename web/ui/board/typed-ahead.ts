/** Collects letters that are typed before the text for them exists. */

/**
 * Collects typed letters from now on, which have no other effect meanwhile. Returns a function that ends it and
 * returns the words so far; Escape, Tab and a press of the pointer end it too.
 */
export function collectTyped(): () => string {
  const listening = new AbortController();
  const { signal } = listening;
  let letters: string[] = [];
  window.addEventListener(
    "keydown",
    (event) => {
      const { key } = event;
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (key === "Escape" || key === "Tab") return listening.abort();
      if (key === "Backspace") letters = letters.slice(0, -1);
      else if (key === "Enter") letters.push("\n");
      else if (/^.$/u.test(key)) letters.push(key);
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { signal, capture: true },
  );
  window.addEventListener("pointerdown", () => listening.abort(), { signal, capture: true });
  return () => {
    listening.abort();
    return letters.join("");
  };
}

/** Collects letters that are typed before the text for them exists. */

/**
 * Collects typed letters from now on, which have no other effect meanwhile. Returns a function that ends it and
 * returns the words so far; Escape, Tab and a press of the pointer end it too.
 */
export function collectTyped(): () => string {
  const listening = new AbortController();
  const options = { signal: listening.signal, capture: true };
  const stop = (): void => listening.abort();
  const letters: string[] = [];
  const take = (event: KeyboardEvent): void => {
    const { key } = event;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Escape" || key === "Tab") return stop();
    if (key === "Backspace") letters.pop();
    else if (key === "Enter") letters.push("\n");
    else if (/^.$/u.test(key)) letters.push(key);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("keydown", take, options);
  addEventListener("pointerdown", stop, options);
  return () => {
    stop();
    return letters.join("");
  };
}

/** What a visitor chose on this device. Where the browser refuses storage, a choice ends with the page. */

/**
 * `appearance`: none is the system's. `letters`: whether keys of one letter are shortcuts; none is on. `name`: what
 * the visitor is called, as it was typed. `hints`: whether this device was ever shown those of the tools.
 */
interface Choices {
  readonly name: string;
  readonly hints: "shown" | "";
  readonly appearance: "light" | "dark" | "";
  readonly letters: "off" | "";
}

const chosen = new Map<keyof Choices, string>();

/** The choice; an empty text for none. */
export function preference<Name extends keyof Choices>(name: Name): Choices[Name] {
  if (!chosen.has(name)) chosen.set(name, read(name));
  return chosen.get(name) as Choices[Name];
}

/** Takes effect at once. */
export function prefer<Name extends keyof Choices>(name: Name, choice: Choices[Name]): void {
  chosen.set(name, choice);
  try {
    localStorage.setItem(keyOf(name), choice);
  } catch {
    // Kept in memory only.
  }
  applyAppearance();
}

/** The page's colours follow the root's colour scheme (tokens.css). */
export function applyAppearance(): void {
  const choice = preference("appearance");
  document.documentElement.style.colorScheme = /^(light|dark)$/.test(choice) ? choice : "";
}

function read(name: keyof Choices): string {
  try {
    return localStorage.getItem(keyOf(name)) ?? "";
  } catch {
    return "";
  }
}

function keyOf(name: keyof Choices): string {
  return `inkpool:${name}`;
}

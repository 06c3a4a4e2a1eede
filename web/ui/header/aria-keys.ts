/** Returns a shortcut in the form of `aria-keyshortcuts`, for all platforms. */
export function ariaKeys(keys: readonly string[]): string {
  const named = (mod: string): string =>
    keys.map((key) => (key === "Mod" ? mod : key.length > 1 ? key : key.toUpperCase())).join("+");
  return keys.includes("Mod") ? `${named("Control")} ${named("Meta")}` : named("");
}

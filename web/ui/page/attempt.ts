/** Returns what `read` finds; undefined where the browser lacks it, or refuses it, as in a frame that may store nothing. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

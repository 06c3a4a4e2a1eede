/** The ids of toasts of which one at a time is shown. */

/**
 * The number of the only toast of each kind. One that was dismissed exists until it has faded, and would take the next
 * one with it if that had its number.
 */
const numbers = new Map<string, number>();

/** Returns the id of the toast of a kind that is shown, or comes next. */
export const idOf = (kind: string): string => `${kind} ${numbers.get(kind) ?? 0}`;

/** Returns the id of the next toast of a kind; the present one is about to disappear. */
export function nextIdOf(kind: string): string {
  numbers.set(kind, (numbers.get(kind) ?? 0) + 1);
  return idOf(kind);
}

/** Returns the options of the only toast of a kind: the same one again renews it until it begins to fade. */
export function only(kind: string) {
  const id = idOf(kind);
  const onFading = (): void => {
    if (id === idOf(kind)) nextIdOf(kind);
  };
  return { id, onDismiss: onFading, onAutoClose: onFading };
}

/** A control that is off while the board is locked, with the reason: what the header says. It keeps the focus. */
export function offWhile(blocked: boolean): {
  readonly "aria-disabled"?: true;
  readonly "aria-describedby"?: string;
} {
  return blocked ? { "aria-disabled": true, "aria-describedby": "board-locked" } : {};
}

import type { KeyboardEvent } from "react";

/** Keeps an Enter that is held from the control before, which asked a question, from answering it. */
export function ignoreHeld(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter") event.preventDefault();
}

/** What keeps the server from starting. */

/** Something the operator must correct: each line of its message names it, and it is shown without a stack. */
export class StartFault extends Error {}

/** The code of a system's or a driver's error, such as EADDRINUSE; else its message. */
export function errorCode(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
}

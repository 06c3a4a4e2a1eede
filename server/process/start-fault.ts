/** The faults that keep the server from starting. */

/** A fault that the operator must correct. Each line of its message names one, and it is shown without a stack. */
export class StartFault extends Error {}

/** Returns the message of an error, or the text of anything else that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of a system's or a driver's error, such as EADDRINUSE, or else its message. */
export function errorCode(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error) return String(error.code);
  return reasonOf(error);
}

/** Converts an unexpected error to the fields of a log line: what it is, where it was thrown, and what caused it. */

import { inspect } from "node:util";
import type { LogFields } from "./log.ts";
import { redact } from "./redact.ts";

/**
 * Returns the fields of an error.
 * @param error whatever was thrown
 * @returns `error` and `stack`, and `cause` and `causeStack` where there is a cause; without tokens and drawings
 */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: shown(error) };
  const { cause } = error;
  const own = { error: nameAndMessage(error), stack: framesOf(error) };
  if (cause === undefined) return own;
  if (!(cause instanceof Error)) return { ...own, cause: shown(cause) };
  return { ...own, cause: nameAndMessage(cause), causeStack: framesOf(cause) };
}

/** Returns a text for something that was thrown, or named as a cause, without being an error. */
function shown(value: unknown): string {
  return redact(typeof value === "string" ? value : inspect(value, { depth: 0 }));
}

function nameAndMessage(error: Error): string {
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  return redact(`${error.name}${code}: ${error.message}`);
}

/** Greatest number of frames of one stack that are logged. */
const MAX_FRAMES = 12;

/** Returns the lines of the stack behind its message, which itself may look like lines of a stack. */
function framesOf({ stack = "", message }: Error): string {
  const header = stack.indexOf(message);
  const behind = header < 0 ? stack : stack.slice(header + message.length);
  return behind
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "))
    .slice(0, MAX_FRAMES)
    .map(redact)
    .join(" | ");
}

/** Prints the result of a check, and ends it. */

import { pathToFileURL } from "node:url";

/**
 * Whether a module is the program that was started.
 * @param url Its import.meta.url.
 */
export function isMain(url: string) {
  return process.argv[1] !== undefined && url === pathToFileURL(process.argv[1]).href;
}

/**
 * Prints the problems and sets the exit code.
 * @param extent What was looked at, so that a check that sees nothing shows.
 */
export function report(name: string, problems: readonly string[], extent: string) {
  for (const problem of problems) console.error(`${name}: ${problem}`);
  console.log(`${name}: ${extent}, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}

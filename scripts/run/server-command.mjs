/** Runs a command of the server, which is built first where necessary. */

import "../node-version.mjs";

const { setUpToRun, SetupFailure } = await import("../build/setup.mjs");

/**
 * Ends the process with 1, and a line that says why, when the set-up fails. Stdout is the command's own.
 *
 * @param {string} main The compiled module, below dist/server/server/.
 * @param {readonly string[]} before The arguments before those that a person gave.
 */
export async function runServerCommand(main, before = []) {
  try {
    await setUpToRun((line) => console.error(line), ["server"]);
  } catch (error) {
    console.error(error instanceof SetupFailure ? error.message : error);
    process.exit(1);
  }
  process.argv.splice(2, 0, ...before);
  await import(new URL(`../../dist/server/server/${main}`, import.meta.url).href);
}

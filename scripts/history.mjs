/** `npm run history`: lists, shows and restores the drawings that the database kept. */

import "./node-version.mjs";

const { setUpToRun, SetupFailure } = await import("./setup.mjs");

try {
  // Stdout belongs to the drawing that is shown.
  await setUpToRun((line) => console.error(line), ["server"]);
} catch (error) {
  console.error(error instanceof SetupFailure ? error.message : error);
  process.exit(1);
}

await import(new URL("../dist/server/server/history/main.js", import.meta.url).href);

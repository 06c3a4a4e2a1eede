/** `npm start`: from a fresh clone to a running product, in one process. */

import "../node-version.mjs";

const { setUpToRun, SetupFailure } = await import("../build/setup.mjs");
const { stopOnSignals } = await import("../process.mjs");

// Without a listener the first process of a container would not see them.
const release = stopOnSignals();

try {
  await setUpToRun((line) => console.error(line));
} catch (error) {
  console.error(error instanceof SetupFailure ? error.message : error);
  process.exit(1);
}

// From here on the signals belong to the server, which finishes open requests.
release();
await import(new URL("../../dist/server/server/main.js", import.meta.url).href);

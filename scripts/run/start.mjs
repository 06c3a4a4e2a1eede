/** `npm start`: from a fresh clone to a running product, in one process. */

import "../node-version.mjs";

const { setUpToRun, SetupFailure } = await import("../build/setup.mjs");
const { stopChildren } = await import("../process.mjs");

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  stopChildren();
  process.exit(signal === "SIGINT" ? 130 : 143);
}

process.on("SIGINT", stop);
process.on("SIGTERM", stop);

try {
  await setUpToRun((line) => console.error(line));
} catch (error) {
  console.error(error instanceof SetupFailure ? error.message : error);
  process.exit(1);
}

// From here on the signals belong to the server, which finishes open requests.
process.off("SIGINT", stop);
process.off("SIGTERM", stop);
await import(new URL("../../dist/server/server/main.js", import.meta.url).href);

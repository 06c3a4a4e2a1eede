/** `npm run restore`: see docs/operations.md. */

import "./node-version.mjs";

const { setUpToRun, SetupFailure } = await import("./setup.mjs");

try {
  await setUpToRun((line) => console.error(line), ["server"]);
} catch (error) {
  console.error(error instanceof SetupFailure ? error.message : error);
  process.exit(1);
}

process.argv.splice(2, 0, "restore");
await import(new URL("../dist/server/server/backup/main.js", import.meta.url).href);

/** `npm run build`: packages and builds, without starting anything. */

import "../node-version.mjs";

const { setUp, SetupFailure } = await import("./setup.mjs");

try {
  await setUp((line) => console.log(line));
  console.log("everything is built");
} catch (error) {
  console.error(error instanceof SetupFailure ? error.message : error);
  process.exit(1);
}

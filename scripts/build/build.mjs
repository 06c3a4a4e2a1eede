/** `npm run build`: packages and builds, without starting anything, and runs the checks of the build. */

import "../node-version.mjs";

const { setUp, SetupFailure } = await import("./setup.mjs");
const { CHECKS_OF_BUILD } = await import("../check/checks.mjs");

try {
  await setUp((line) => console.log(line));
  for (const { name, run } of CHECKS_OF_BUILD) {
    const { code, output } = await run();
    if (code !== 0) throw new SetupFailure(`${name}:\n${output}`);
  }
  console.log("everything is built");
} catch (error) {
  console.error(error instanceof SetupFailure ? error.message : error);
  process.exit(1);
}

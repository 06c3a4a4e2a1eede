/** The entry of the process. Everything else is loaded afterwards, so that stack traces name the sources. */

process.setSourceMapsEnabled(true);
const { start } = await import("./start.ts");
await start();

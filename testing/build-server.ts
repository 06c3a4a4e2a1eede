import { setUp } from "../scripts/setup.mjs";

/** Vitest's globalSetup: worker threads and child processes run the compiled server, so it must not be stale. */
export default async function buildServer(): Promise<void> {
  await setUp((line) => console.log(line), ["server"]);
}

import type { TestProject } from "vitest/node";
import { setUp } from "../../scripts/build/setup.mjs";

/** Compiles the server when it is stale: worker threads and child processes cannot run its sources. */
export async function buildServer(): Promise<void> {
  await setUp((line) => console.log(line), ["server"]);
}

let built: Promise<void> | undefined;

/** Builds the server once for this process, which may be one without Vitest's globalSetup; sources do not change meanwhile. */
export function ensureBuilt(): Promise<void> {
  return (built ??= buildServer());
}

/**
 * Builds the server as Vitest's globalSetup of the server's tests, which open the embedded database; in watch mode
 * before each run, too.
 */
export default async function setup(project: TestProject): Promise<void> {
  await buildServer();
  project.onTestsRerun(buildServer);
}

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutSettings } from "../scripts/environment.mjs";
import { expect, test } from "./fixtures.ts";

const ROOT = new URL("..", import.meta.url);

/** Runs `npm start` as a person types it: npm, its shell, and the product below them. */
async function npmStart(signal: NodeJS.Signals): Promise<{ code: number | null; said: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), "inkpool-start-"));
  const npm = spawn("npm", ["start", "--silent"], {
    cwd: ROOT,
    env: { ...withoutSettings(), PORT: "0", DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  const ended = new Promise<number | null>((resolve) => npm.once("exit", (code) => resolve(code)));
  try {
    npm.stdout.on("data", (chunk: Buffer) => void (said += chunk.toString()));
    await expect
      .poll(() => said, { timeout: 60_000 })
      .toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+$/m);
    const url = /http:\S+/.exec(said)?.[0] ?? "";
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    npm.kill(signal);
    const code = await ended;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    return { code, said };
  } finally {
    npm.kill("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

for (const signal of ["SIGTERM", "SIGINT"] as const)
  test(`SRV-5 npm start says when it is ready, and ${signal} stops it with 0`, async () => {
    const { code, said } = await npmStart(signal);
    expect(code).toBe(0);
    expect(said.trim().split("\n")).toEqual([
      expect.stringMatching(/^listening on http:\/\/127\.0\.0\.1:\d+$/),
      "npm run host-link (inkpool host-link in the package) prints the host link",
    ]);
  });

/** A browser that can be killed: a process of its own, with a profile that outlives it. */

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type Page, chromium } from "@playwright/test";
import { endWithProcess } from "../scripts/process.mjs";
import { BROWSER } from "./browser.ts";

export interface KillableBrowser {
  readonly browser: Browser;
  readonly profile: string;
  /** Returns the page that the browser opened by itself, in its lasting profile. */
  page(): Promise<Page>;
  /** Sends SIGKILL to the whole process group: nothing is flushed. */
  kill(): Promise<void>;
  /** Kills the browser and removes the profile. */
  dispose(): Promise<void>;
}

/**
 * Starts a browser.
 * @param profile The folder that an earlier browser used; a new one by default.
 */
export async function startBrowser(
  profile = mkdtempSync(join(tmpdir(), "inkpool-profile-")),
): Promise<KillableBrowser> {
  const portFile = join(profile, "DevToolsActivePort");
  rmSync(portFile, { force: true });
  rmSync(join(profile, "SingletonLock"), { force: true });
  const child = spawn(
    BROWSER.executablePath ?? chromium.executablePath(),
    [
      ...BROWSER.args,
      "--headless=new",
      "--no-first-run",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "--window-size=1280,900",
      "about:blank",
    ],
    { detached: true, stdio: "ignore" },
  );
  endWithProcess(child, true);
  const browser = await chromium.connectOverCDP(
    `http://127.0.0.1:${await readPort(portFile, child)}`,
  );
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    process.kill(-child.pid, "SIGKILL");
    await gone;
  };
  return {
    browser,
    profile,
    async page() {
      const context = browser.contexts()[0];
      if (context === undefined) throw new Error("the browser has no context of its own");
      return context.pages()[0] ?? context.newPage();
    },
    kill,
    async dispose() {
      await kill();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function readPort(file: string, child: ChildProcess): Promise<number> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const [port = ""] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    if (/^\d+$/.test(port)) return Number(port);
    if (child.exitCode !== null) throw new Error(`the browser ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the browser did not say where it listens");
}

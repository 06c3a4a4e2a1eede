/** Describes the machine of the measurements: enough to judge them, and nothing that names the machine. */

import { spawnSync } from "node:child_process";
import { cpus, loadavg, platform, totalmem } from "node:os";
import { findBrowser } from "../scripts/browser.mjs";

/** Returns one line: date, processor, cores, memory, Node.js, browser, and the load of the machine before. */
export async function describeMachine(): Promise<string> {
  const processors = cpus();
  const model = processors[0]?.model.replace(/\s+/g, " ").trim() || "unknown processor";
  return [
    new Date().toISOString().slice(0, 10),
    model,
    `${processors.length} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    platform(),
    `Node.js ${process.version}`,
    await browserVersion(),
    `load average before the run ${(loadavg()[0] ?? 0).toFixed(1)}`,
  ].join(", ");
}

async function browserVersion() {
  const path = await findBrowser();
  if (path === null) return "no browser";
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 20_000 });
  return /[A-Z]\w+(?: \w+)* [\d.]+/.exec(stdout ?? "")?.[0] ?? "an unknown Chromium";
}

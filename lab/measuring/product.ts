/** Starts the built product as a process of its own. */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { withoutSettings } from "../../scripts/environment.mjs";
import { endWithProcess } from "../../scripts/process.mjs";
import { ROOT } from "../../scripts/root.mjs";

/** The flags that `npm start` gives Node.js. `root`: the folder of the repository, of this version or of another one. */
export function startFlags(root = ROOT) {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  return scripts.start.match(/(?<= )--\S+(?=.*\|\|)/g) ?? [];
}

export interface Product {
  /** The origin, such as `http://127.0.0.1:40123`. */
  url: string;
  port: number;
  /** The process id. */
  pid: number;
  stop: () => Promise<void>;
}

export function startProduct(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  root = ROOT,
): Promise<Product> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...startFlags(root), `${root}dist/server/server/main.js`],
      {
        env: { ...withoutSettings(), ...env, PORT: "0", DATA_DIR: dataDir },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    endWithProcess(child);
    const ended = new Promise((done) => child.once("exit", done));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout.on("data", (chunk) => {
      const url = /listening on (http:\S+)/.exec(String(chunk))?.[1];
      if (url === undefined) return;
      resolve({
        url,
        port: Number(new URL(url).port),
        pid: child.pid ?? 0,
        stop: async () => {
          child.kill("SIGTERM");
          await ended;
        },
      });
    });
  });
}

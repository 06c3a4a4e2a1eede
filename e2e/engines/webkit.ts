/**
 * Runs WebKitGTK: MiniBrowser on an X display of its own. WebKitWebDriver opens pages and runs scripts in them; mouse
 * and keys come from xdotool, since the driver leaves buttons pressed, adds up the wheel's turns and loses capitals.
 * Without the driver MiniBrowser writes the whole console; with it, the page records everything after its load.
 */

import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Driver from "libsql";
import { freePort } from "../../scripts/free-port.ts";
import { createInput, startDisplay, type Display } from "./display.ts";
import { startGroup, untilThere } from "./process-group.ts";
import { findProgram } from "./programs.ts";
import { recordedProblems, recordProblems } from "./page-console.ts";
import {
  createContact,
  dispatchPen,
  resultOf,
  scriptOf,
  type Engine,
  type SharedBrowser,
  type Tab,
} from "./tab.ts";

const NEEDED = ["WebKitWebDriver", "Xvfb", "xdotool", "dbus-run-session"];

/** The folder of libraries, in which Debian has MiniBrowser below a folder for the kind of machine. */
const LIBRARIES = "/usr/lib";

const SETTINGS = {
  GDK_BACKEND: "x11",
  LIBGL_ALWAYS_SOFTWARE: "1",
  NO_AT_BRIDGE: "1",
  // Without a graphics card, layers that are painted apart and put together cost a third more than one picture.
  WEBKIT_DISABLE_COMPOSITING_MODE: "1",
  // A container's root has no sandbox.
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
};

const OPTIONS = ["--full-screen", "--enable-write-console-messages-to-stdout=true"];

export const webkit: Engine = {
  name: "webkit",
  missing() {
    const missing = NEEDED.filter((name) => findProgram([name]) === null);
    if (findMiniBrowser() === null) missing.push("MiniBrowser");
    return missing.length === 0 ? null : `no ${missing.join(", ")}`;
  },
  async start() {
    const display = await startDisplay();
    const port = await freePort();
    const args = ["--", "WebKitWebDriver", "--host=127.0.0.1", `--port=${port}`];
    const env = { ...SETTINGS, DISPLAY: display.name };
    const driver = startGroup("dbus-run-session", args, env);
    const call = createCaller(`http://127.0.0.1:${port}`);
    await untilThere(driver, () => call("GET", "/status").catch(() => null));
    const kill = async (): Promise<void> => {
      await driver.kill();
      await display.group.kill();
    };
    return createBrowser({ call, display, kill });
  },
  async startOn(profile) {
    const display = await startDisplay();
    const env: Record<string, string> = { ...SETTINGS, DISPLAY: display.name };
    for (const name of ["DATA", "CACHE", "CONFIG"]) {
      const folder = join(profile, name.toLowerCase());
      mkdirSync(folder, { recursive: true });
      env[`XDG_${name}_HOME`] = folder;
    }
    const groups = [display.group];
    return {
      ...createInput(display),
      problems: async () => groups.flatMap((group) => problemsIn(group.output())),
      async goto(url) {
        const args = ["--", findMiniBrowser() ?? "", ...OPTIONS, url];
        groups.unshift(startGroup("dbus-run-session", args, env));
      },
      changes: async () => countStoredChanges(profile),
      kill: async () => void (await Promise.all(groups.map(({ kill }) => kill()))),
    };
  },
};

/** Returns the errors and warnings among the console's messages as MiniBrowser writes them. */
function problemsIn(output: string): readonly string[] {
  return output.split("\n").filter((line) => /\bCONSOLE (?:[A-Z]+ )?(?:ERROR|WARN)\b/.test(line));
}

function findMiniBrowser(): string | null {
  for (const machine of existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : [])
    for (const version of ["4.1", "4.0"]) {
      const path = join(LIBRARIES, machine, `webkit2gtk-${version}`, "MiniBrowser");
      if (existsSync(path)) return path;
    }
  return null;
}

/**
 * Counts the changes in a page's databases, which are read while they are being written: without a driver a page
 * cannot be asked.
 */
function countStoredChanges(profile: string): number {
  const files = readdirSync(profile, { recursive: true, encoding: "utf8" });
  const counts = files
    .filter((name) => name.endsWith("IndexedDB.sqlite3"))
    .map((name) => countIn(join(profile, name)));
  return counts.reduce((sum, count) => sum + count, 0);
}

function countIn(file: string): number {
  const database = new Driver(file, { readonly: true });
  try {
    const row = database
      .prepare(
        "select count(*) as n from Records join ObjectStoreInfo as store on objectStoreID = store.id where store.name = 'changes'",
      )
      .get() as { readonly n: number };
    return row.n;
  } catch {
    // It has no tables yet, or is being written.
    return 0;
  } finally {
    database.close();
  }
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

/** Returns a function that calls the driver. It throws the driver's message. */
function createCaller(origin: string): Call {
  return async <T>(method: string, path: string, body?: object) => {
    const answer = await fetch(origin + path, {
      method,
      headers: { "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { value } = (await answer.json()) as { readonly value: unknown };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value as T;
  };
}

interface WebKit {
  readonly call: Call;
  readonly display: Display;
  readonly kill: () => Promise<void>;
}

/** Makes a browser with one window for all visitors: a second one would lie behind the first. */
async function createBrowser({ call, display, kill }: WebKit): Promise<SharedBrowser> {
  const browserOptions = { binary: findMiniBrowser(), args: ["--automation", ...OPTIONS] };
  const begin = async (): Promise<string> => {
    const { sessionId } = await call<{ sessionId: string }>("POST", "/session", {
      capabilities: { alwaysMatch: { "webkitgtk:browserOptions": browserOptions } },
    });
    const rect = { x: 0, y: 0, width: 1280, height: 800 };
    await call("POST", `/session/${sessionId}/window/rect`, rect);
    return `/session/${sessionId}`;
  };
  // The driver ends the browser with its session, which is in another process group.
  const end = (): Promise<unknown> => call("DELETE", session).catch(() => undefined);
  let session = await begin();
  /** The problems of the pages that this visitor has left. */
  let earlier: readonly string[] = [];
  const enter = async (path: string, body: object): Promise<void> => {
    earlier = await tab.problems();
    await call("POST", `${session}/${path}`, body);
    await tab.evaluate(recordProblems);
  };
  const tab: Tab = {
    ...createInput(display),
    contact: createContact("pen", (source) =>
      call("POST", `${session}/actions`, { actions: [source] }),
    ),
    penStroke: (points) => tab.evaluate(dispatchPen, points),
    problems: async () => [...earlier, ...(await tab.evaluate(recordedProblems))],
    goto: (url) => enter("url", { url }),
    reload: () => enter("refresh", {}),
    async evaluate<A extends readonly unknown[], T>(
      work: (...args: A) => T | Promise<T>,
      ...args: A
    ): Promise<T> {
      const script = `
        const done = arguments[1];
        (${scriptOf(work)})(arguments[0]).then(
          (json) => done({ json }), (error) => done({ error: String(error) }));`;
      const answer = await call<{ readonly json: string; readonly error?: string }>(
        "POST",
        `${session}/execute/async`,
        { script, args: [JSON.stringify(args)] },
      );
      if (answer.error !== undefined) throw new Error(answer.error);
      return resultOf(answer.json);
    },
    async restart() {
      await end();
      session = await begin();
      earlier = [];
    },
    close: () => call("POST", `${session}/url`, { url: "about:blank" }),
  };
  return {
    async open() {
      earlier = [];
      return tab;
    },
    async close() {
      await end();
      await kill();
    },
  };
}

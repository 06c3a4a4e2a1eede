/** Runs Firefox headless by WebDriver BiDi, which it speaks without a driver. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectBidi, type Bidi } from "./bidi.ts";
import { findProgram } from "./programs.ts";
import { startGroup, untilThere } from "./process-group.ts";
import {
  createContact,
  countChanges,
  dispatchPen,
  resultOf,
  scriptOf,
  type Button,
  type Engine,
  type Input,
  type Tab,
} from "./tab.ts";

const PROGRAMS = ["firefox-esr", "firefox"];
const BUTTONS: Readonly<Record<Button, number>> = { left: 0, middle: 1, right: 2 };
/** Pixels of one notch of the wheel. */
const NOTCH = 100;

/** The keys by WebDriver's names. */
const KEYS: Readonly<Record<string, string>> = {
  Shift: "\uE008",
  Control: "\uE009",
  Enter: "\uE007",
  Escape: "\uE00C",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Digit0: "0",
};

/** Preferences of a browser that is started for minutes: without extensions, experiments, reports and processes to come. */
const PREFERENCES = {
  "app.normandy.enabled": false,
  "browser.newtabpage.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.tabs.remote.separatePrivilegedContentProcess": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "devtools.jsonview.enabled": false,
  "dom.ipc.processPrelaunch.enabled": false,
  "extensions.enabledScopes": 0,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "nimbus.rollouts.enabled": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

export const firefox: Engine = {
  name: "firefox",
  missing: () => (findProgram(PROGRAMS) === null ? "no Firefox" : null),
  async start() {
    const profile = mkdtempSync(join(tmpdir(), "inkpool-firefox-"));
    const browser = await launch(profile);
    return {
      async open() {
        const { userContext } = await browser.send<{ userContext: string }>(
          "browser.createUserContext",
          {},
        );
        return browser.open(userContext);
      },
      async close() {
        await browser.kill();
        rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      },
    };
  },
  async startOn(profile) {
    const browser = await launch(profile);
    const tab = await browser.open("default");
    return { ...tab, changes: () => tab.evaluate(countChanges), kill: () => browser.kill() };
  },
};

interface Firefox {
  readonly send: Bidi["send"];
  open(userContext: string): Promise<Tab>;
  kill(): Promise<void>;
}

async function launch(profile: string): Promise<Firefox> {
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const group = startGroup(
    findProgram(PROGRAMS) ?? "firefox",
    ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank"],
    { HOME: profile },
  );
  const url = await untilThere(
    group,
    () => /WebDriver BiDi listening on (ws:\S+)/.exec(group.output())?.[1] ?? null,
  );
  const problems = new Map<string, string[]>();
  const bidi = await connectBidi(`${url}/session`, (_method, params) => {
    const entry = params as {
      readonly level: string;
      readonly text: string | null;
      readonly source: { readonly context?: string };
    };
    if (entry.level === "error" || entry.level === "warn")
      problems.get(entry.source.context ?? "")?.push(`${entry.level}: ${entry.text}`);
  });
  await bidi.send("session.new", { capabilities: {} });
  await bidi.send("session.subscribe", { events: ["log.entryAdded"] });
  return {
    send: bidi.send,
    async open(userContext) {
      const { context } = await bidi.send<{ context: string }>("browsingContext.create", {
        type: "tab",
        userContext,
      });
      const viewport = { width: 1280, height: 800 };
      await bidi.send("browsingContext.setViewport", { context, viewport });
      const found: string[] = [];
      problems.set(context, found);
      return createTab(bidi, context, found);
    },
    async kill() {
      bidi.close();
      await group.kill();
    },
  };
}

function createTab(bidi: Bidi, context: string, problems: readonly string[]): Tab {
  const tab: Tab = {
    ...createInput(bidi, context),
    contact: createContact("touch", (source) =>
      bidi.send("input.performActions", { context, actions: [source] }),
    ),
    penStroke: (points) => tab.evaluate(dispatchPen, points),
    problems: async () => problems,
    goto: async (url) =>
      void (await bidi.send("browsingContext.navigate", { context, url, wait: "complete" })),
    reload: async () =>
      void (await bidi.send("browsingContext.reload", { context, wait: "complete" })),
    async evaluate<A extends readonly unknown[], T>(
      work: (...args: A) => T | Promise<T>,
      ...args: A
    ): Promise<T> {
      const json = JSON.stringify(args);
      const answer = await bidi.send<{
        readonly result?: { readonly value: string };
        readonly exceptionDetails?: { readonly text: string };
      }>("script.callFunction", {
        functionDeclaration: scriptOf(work),
        arguments: [{ type: "string", value: json }],
        awaitPromise: true,
        target: { context },
      });
      if (!answer.result) throw new Error(answer.exceptionDetails?.text);
      return resultOf(answer.result.value);
    },
    close: async () => void (await bidi.send("browsingContext.close", { context })),
  };
  return tab;
}

function createInput(bidi: Bidi, context: string): Input {
  const perform = (source: object): Promise<unknown> =>
    bidi.send("input.performActions", { context, actions: [source] });
  const point = (action: object): Promise<unknown> =>
    perform({
      type: "pointer",
      id: "mouse",
      parameters: { pointerType: "mouse" },
      actions: [action],
    });
  const keys = (actions: readonly object[]): Promise<unknown> =>
    perform({ type: "key", id: "keyboard", actions });
  let [x, y] = [0, 0];
  const down = (value: string) => ({ type: "keyDown", value });
  const up = (value: string) => ({ type: "keyUp", value });
  return {
    async move(to) {
      [x, y] = to;
      await point({ type: "pointerMove", x: Math.round(x), y: Math.round(y) });
    },
    down: async (button = "left") =>
      void (await point({ type: "pointerDown", button: BUTTONS[button] })),
    up: async (button = "left") =>
      void (await point({ type: "pointerUp", button: BUTTONS[button] })),
    async press(chord) {
      const values = chord.split("+").map((key) => KEYS[key] ?? key);
      await keys([...values.map(down), ...values.toReversed().map(up)]);
    },
    type: async (text) =>
      void (await keys(Array.from(text).flatMap((letter) => [down(letter), up(letter)]))),
    hold: async (key) => void (await keys([down(KEYS[key] ?? key)])),
    letGo: async (key) => void (await keys([up(KEYS[key] ?? key)])),
    async wheel(towards, held) {
      const deltaY = towards === "up" ? -NOTCH : NOTCH;
      if (held) await keys([down(KEYS[held] ?? held)]);
      await perform({
        type: "wheel",
        id: "wheel",
        actions: [{ type: "scroll", x: Math.round(x), y: Math.round(y), deltaX: 0, deltaY }],
      });
      if (held) await keys([up(KEYS[held] ?? held)]);
    },
  };
}

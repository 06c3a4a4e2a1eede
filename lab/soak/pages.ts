/** Runs real pages in a headless Chromium, whose visitors draw, undo, leave and return. */

import { chromium, type Page, type BrowserContext, type Browser } from "@playwright/test";
import { BROWSER_ARGS, findBrowser } from "../../scripts/browser.mjs";
import { kindOf, type AnswerCounts } from "../installation/answers.ts";
import { integer, sleep, until, type Undo } from "../installation/tools.ts";
import type { Ledger, TimedSave } from "./ledger.ts";

const VIEWPORT = { width: 1000, height: 700 };
const HEADER = 80;
/** Matches Chromium's own messages about failed requests and sockets, and the page's about the same. */
const EXPECTED =
  /^(?:Failed to load resource|WebSocket connection to|The canvas was not (?:saved|loaded))/;

const PREPARE = `if (location.protocol.startsWith("http")) {
  localStorage.setItem("inkpool:hints", "shown");
  localStorage.setItem("inkpool:debug", "1");
}`;

const IS_THERE = `window.inkpool !== undefined && window.inkpool.saveState.get().state !== "loading"`;

/** The script that begins to note this visitor's actions, by the sync client that the page exposes for debugging. */
const WATCH = `(() => {
  const { inkpool } = window;
  const soak = (window.soak = { drawn: [], removed: [], saved: 0 });
  inkpool.onChanges(({ changes, origin }) => {
    if (origin === "remote") return;
    soak.drawn.push(...changes.added.map(({ id }) => id));
    soak.removed.push(...changes.removed.map(({ id }) => id));
  });
  inkpool.saveState.subscribe(() => {
    if (inkpool.saveState.get().state === "saved") soak.saved = soak.drawn.length;
  });
})()`;

const READ = `(() => ({
  ...window.soak,
  state: window.inkpool.saveState.get().state,
  ids: window.inkpool.objects().map(({ id }) => id),
}))()`;

interface Reading {
  drawn: string[];
  removed: string[];
  saved: number;
  state: string;
  ids: string[];
}

export type Visitor = Awaited<ReturnType<typeof openVisitor>>;

interface VisitorOptions {
  browser: Browser;
  origin: string;
  name: string;
  random: () => number;
  ledger: Ledger;
  answers: AnswerCounts;
  /** Gets the saves of the page. */
  timed: TimedSave[];
  /** Unexpected messages of pages, by text. */
  problems: Map<string, number>;
}

export async function openBrowser(undo: Undo[]) {
  const executablePath = await findBrowser();
  const browser = await chromium.launch({
    args: BROWSER_ARGS,
    handleSIGINT: false,
    ...(executablePath === null ? {} : { executablePath }),
  });
  undo.push(() => browser.close());
  return browser;
}

/** Counts the page's requests, times its saves, and notes its faults. */
function observe(page: Page, { name, answers, timed, problems }: VisitorOptions) {
  const note = (what: string) => problems.set(what, (problems.get(what) ?? 0) + 1);
  page.on("pageerror", (error) => note(`${name}: uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text()))
      note(`${name}: console: ${message.text().slice(0, 200)}`);
  });
  page.on("requestfinished", (request) => {
    const { startTime, responseEnd } = request.timing();
    if (["PATCH", "POST"].includes(request.method()) && request.url().includes("/canvas_state"))
      timed.push({ begin: startTime, end: startTime + responseEnd });
  });
  page.on("response", (answer) => {
    const headers = answer.headers();
    const kind = kindOf(answer.status(), { get: (key) => headers[key] ?? null });
    answers.add(kind, `page ${answer.request().method()} ${new URL(answer.url()).pathname}`);
  });
}

/** Opens a new page and waits for its board. It is loaded again and again while it cannot be reached. */
async function openPage(context: BrowserContext, options: VisitorOptions) {
  const page = await context.newPage();
  observe(page, options);
  const isThere = () => page.evaluate(IS_THERE).then(Boolean, () => false);
  const isLoaded = async () => {
    await page.goto(options.origin, { timeout: 10_000 }).catch(() => {});
    return until(isThere, "", 15_000).then(
      () => true,
      () => false,
    );
  };
  await until(isLoaded, `${options.name} opens the page`, 180_000);
  await page.evaluate(WATCH);
  const inspector = await context.newCDPSession(page);
  await inspector.send("Performance.enable");
  return { page, inspector };
}

async function stroke({ mouse }: Page, random: () => number) {
  const [x, y] = [integer(random, 40, 800), integer(random, 60, 440) + HEADER];
  await mouse.move(x, y);
  await mouse.down();
  const bend = 0.2 + random();
  for (let n = 1; n <= 12; n++) {
    await mouse.move(x + 12 * n, y + Math.round(40 * Math.sin(n * bend)));
    await sleep(25);
  }
  await mouse.up();
}

/** Opens a visitor with a browser profile of their own, whose page is open. */
export async function openVisitor(options: VisitorOptions) {
  const { browser, name, random, ledger } = options;
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addInitScript({ content: PREPARE });
  let { page, inspector } = await openPage(context, options);
  let last: Promise<unknown> = Promise.resolve();
  /** Queues an act behind the others. */
  const queued = <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act);
    last = done.catch(() => undefined);
    return done;
  };
  /** Reads the page's content and state; the visitor's actions are added to the ledger. */
  const read = async () => {
    const reading = (await page.evaluate(READ)) as Reading;
    for (const id of reading.drawn) ledger.drew(id, name);
    for (const id of reading.drawn.slice(0, reading.saved)) ledger.saved(id);
    for (const id of reading.removed) ledger.removed(id);
    return reading;
  };
  return {
    name,
    read: () => queued(read),
    stroke: () => queued(() => stroke(page, random)),
    undo: () => queued(() => page.keyboard.press("Control+z")),
    clear: () => queued(() => page.getByRole("button", { name: "Clear Canvas" }).click()),
    /** Closes the page, and opens a new one of the same visitor, which finds the journal. */
    reopen: () =>
      queued(async () => {
        await read();
        await page.close();
        await sleep(integer(random, 200, 3_000));
        ({ page, inspector } = await openPage(context, options));
      }),
    /** Returns everything that the board contains, for comparisons. */
    objects: async (): Promise<Record<string, unknown>[]> =>
      JSON.parse(await page.evaluate("JSON.stringify(window.inkpool.objects())")),
    /** Returns the badge's text. */
    badge: async () => {
      const badge = page.getByText(/^\d+ users? online$/).first();
      return (await badge.textContent({ timeout: 5_000 })) ?? "";
    },
    /**
     * Returns the bytes of the page's JavaScript heap.
     *
     * @param collect Whether garbage is collected first.
     */
    heap: (collect = false) =>
      queued(async () => {
        if (collect) await inspector.send("HeapProfiler.collectGarbage");
        const { metrics } = await inspector.send("Performance.getMetrics");
        return metrics.find((metric) => metric.name === "JSHeapUsedSize")?.value ?? 0;
      }),
    close: () => context.close(),
  };
}

/**
 * Draws until it is over: strokes one after the other, now and then an undo, then a pause in which the page saves.
 *
 * @param leaves Whether this visitor sometimes closes the page.
 */
export async function drawUntil(
  visitor: Visitor,
  random: () => number,
  isOver: () => boolean,
  leaves: boolean,
) {
  while (!isOver()) {
    for (let left = integer(random, 2, 5); left > 0 && !isOver(); left--) {
      await visitor.stroke();
      await sleep(integer(random, 100, 700));
    }
    if (random() < 0.2) await visitor.undo();
    if (leaves && random() < 0.12) await visitor.reopen();
    for (let left = integer(random, 3, 10); left > 0 && !isOver(); left--) {
      await visitor.read();
      await sleep(1_000);
    }
    if (leaves && random() < 0.08) await visitor.reopen();
  }
}

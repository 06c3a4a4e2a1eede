/**
 * A teacher with a class of 30: two real pages, the teacher's and a pupil's, and 28 pupils that are clients of
 * `@supabase/supabase-js`. The class draws, the teacher locks the board, one pupil opens the drawing link, the board
 * is unlocked, one pupil fills, hides and removes while three continue to draw, and the teacher takes that one back.
 * Asserts everybody's board at the end, and prints how long each step took.
 *
 *   npx tsx lab/class.ts
 *
 * Needs a built product (npm run build) and a Chromium.
 */

import "../scripts/node-version.mjs";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { createClient, type RealtimeChannel } from "@supabase/supabase-js";
import { WebSocket } from "ws";
import { withoutSettings } from "../scripts/environment.mjs";
import { ROOT } from "../scripts/root.mjs";
import { table } from "./measuring/figures.ts";
import { runOrderly, until, type Undo } from "./installation/tools.ts";
import { startProduct, type Product } from "./measuring/product.ts";
import { openBrowser } from "./soak/pages.ts";

const PUPILS = 28;
const STROKES = 3;
const FILLED = 300;
const SPOILT = 20;
const PATIENCE = 60_000;

type Item = Readonly<Record<string, unknown>> & { readonly id: string };

const PREPARE = `localStorage.setItem("inkpool:hints", "shown"); localStorage.setItem("inkpool:debug", "1");`;

/** A pupil without a browser, who draws by broadcasts, which the pages save. */
interface Pupil {
  readonly author: string;
  readonly channel: RealtimeChannel;
  isLocked: boolean;
  count: number;
}

async function openPupil(undo: Undo[], url: string, key: string, name?: string): Promise<Pupil> {
  const client = createClient(url, key, {
    auth: { persistSession: false },
    realtime: { transport: WebSocket as never },
  });
  undo.push(async () => void (await client.removeAllChannels()));
  const clientId = randomBytes(6).toString("hex");
  const channel = client.channel("canvas-room", { config: { presence: { key: clientId } } });
  const pupil: Pupil = {
    author: `1xg${clientId.slice(0, 10)}`,
    channel,
    isLocked: false,
    count: 0,
  };
  channel.on("broadcast", { event: "canvas-settings" }, ({ payload }) => {
    pupil.isLocked = payload.locked === true;
  });
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status) => {
      if (status === "SUBSCRIBED") resolve();
      else if (status !== "CLOSED") reject(new Error(status));
    });
  });
  await channel.track({
    online_at: new Date().toISOString(),
    partial: true,
    ...(name && { name }),
  });
  return Object.assign(pupil, { clientId });
}

/** Sends objects that are new or changed, and the ids of those that are removed. */
async function send(pupil: Pupil, objects: readonly Item[], removed: readonly string[] = []) {
  const context: Record<string, number[]> = {};
  for (const id of [...objects.map((object) => object.id), ...removed]) {
    const [author = "", number = "0"] = id.split("-");
    (context[author] ??= []).push(Number(number), Number(number));
  }
  const inkpool = { format: 1, partial: true, seen: context };
  const json = { version: "7.4.0", objects, background: "white", inkpool };
  const { clientId } = pupil as Pupil & { clientId: string };
  await pupil.channel.send({
    type: "broadcast",
    event: "canvas-update",
    payload: { clientId, json },
  });
}

function draw(pupil: Pupil, count: number, fill: string): Item[] {
  return Array.from({ length: count }, (_, at) => {
    const number = pupil.count++;
    const [left, top] = [20 + ((37 * number) % 900), 100 + ((53 * number + 11 * at) % 500)];
    const shape = { type: "Rect", left, top, width: 40, height: 30, fill };
    return { ...shape, id: `${pupil.author}-${number}`, z: 1_000 + number };
  });
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  await context.addInitScript({ content: PREPARE });
  const page = await context.newPage();
  await page.goto(url);
  await until(
    () => page.evaluate(`window.inkpool?.saveState.get().state === "saved"`).then(Boolean),
    "the page is open",
    PATIENCE,
  );
  return page;
}

const objectsOf = async (page: Page): Promise<Item[]> =>
  (await page.evaluate("window.inkpool.objects()")) as Item[];

const idsOf = async (page: Page): Promise<string[]> =>
  (await page.evaluate("window.inkpool.objects().map(({ id }) => id)")) as string[];

function hostLink({ url }: Product, dataDir: string): string {
  const command = join(ROOT, "dist/server/server/host-link/main.js");
  const env = { ...withoutSettings(), DATA_DIR: dataDir };
  const said = execFileSync(process.execPath, [command, "--origin", url], { env }).toString();
  return said.trim().replace("host link: ", "");
}

async function openHostPanel(teacher: Page): Promise<void> {
  await teacher.getByRole("button", { name: "Menu", exact: true }).click();
  await teacher.getByRole("menuitem", { name: "Host" }).click();
}

const times: (readonly [string, number])[] = [];
const note = (what: string, ms: number): void => void times.push([what, ms]);

interface Class {
  readonly teacher: Page;
  readonly pupil: Page;
  readonly pupils: readonly Pupil[];
  readonly browser: Browser;
  readonly failed: string[];
}

/** Locks the board, gives one drawing link, and unlocks it. */
async function lockAndUnlock({ teacher, pupil, pupils, browser, failed }: Class): Promise<void> {
  await openHostPanel(teacher);
  const lock = teacher.getByRole("switch", { name: "Lock the board" });
  const everybody = async (isLocked: boolean): Promise<boolean> =>
    pupils.every((one) => one.isLocked === isLocked) &&
    (await pupil.evaluate("window.inkpool.locked.get()")) === isLocked;
  await lock.click();
  note("lock, until all 29 others know", await until(() => everybody(true), "locked", PATIENCE));
  const before = (await idsOf(teacher)).length;
  for (const one of pupils) await send(one, draw(one, 1, "#ff0000"));
  await teacher.getByRole("button", { name: "Copy drawing link" }).click();
  const link = teacher.getByRole("textbox", { name: "Drawing link" });
  const helper = await openPage(browser, await link.inputValue());
  await helper.getByRole("button", { name: "Rectangle", exact: true }).click();
  const arrived = async (): Promise<boolean> => (await idsOf(pupil)).length === before + 1;
  note(
    "what the drawing link draws, until a pupil has it",
    await until(arrived, "drawn", PATIENCE),
  );
  const drawn = (await idsOf(teacher)).length - before;
  if (drawn !== 1) failed.push(`${drawn} objects were added to the locked board, not 1`);
  await helper.context().close();
  await lock.click();
  note("unlock, until all 29 others know", await until(() => everybody(false), "open", PATIENCE));
  await teacher.getByRole("button", { name: "Close", exact: true }).click();
}

/** Lets one pupil spoil the board while three continue to draw; returns the board as it should be without the one. */
async function spoil({ teacher, pupils }: Class, vandal: Pupil): Promise<Map<string, Item>> {
  const remaining = (await objectsOf(teacher)).filter(({ id }) => !id.startsWith(vandal.author));
  const expected = new Map(remaining.map((object) => [object.id, object]));
  const foreign = [...expected.values()].slice(0, 2 * SPOILT);
  const hidden = foreign.slice(0, SPOILT);
  const stamps = { look: [1, vandal.author] };
  await send(vandal, draw(vandal, FILLED, "#ff00ff"));
  await send(
    vandal,
    hidden.map((object) => ({ ...object, opacity: 0, stamps })),
  );
  await send(
    vandal,
    [],
    foreign.slice(SPOILT).map(({ id }) => id),
  );
  for (const one of pupils.slice(0, 3)) {
    const drawn = draw(one, STROKES, "#2ecc71");
    for (const object of drawn) expected.set(object.id, object);
    await send(one, drawn);
  }
  await until(
    async () => (await idsOf(teacher)).length === expected.size - SPOILT + STROKES + FILLED,
    "the teacher sees what was done",
    PATIENCE,
  );
  return expected;
}

async function takeBack({ teacher, pupil, failed }: Class, expected: Map<string, Item>) {
  await teacher
    .locator("header")
    .getByRole("button", { name: /users? online/ })
    .click();
  const panel = teacher.getByRole("dialog", { name: "People" });
  const begin = Date.now();
  await panel.getByRole("listitem").filter({ hasText: "Vandal" }).getByText("Take back").click();
  const status = panel.getByRole("status");
  const counted = `Removes ${STROKES + FILLED} objects and brings ${2 * SPOILT} back as before.`;
  const isCounted = async (): Promise<boolean> => (await status.textContent()) === counted;
  await until(isCounted, `${counted} ${await status.textContent()}`, PATIENCE);
  note("Take back, until its panel says how much", Date.now() - begin);
  await panel.getByRole("button", { name: "Take back" }).click();
  const isDone = async (): Promise<boolean> => {
    const now = await objectsOf(pupil);
    return now.length === expected.size && now.every(({ opacity }) => opacity !== 0);
  };
  note("taken back, until a pupil's page shows it", await until(isDone, "taken back", PATIENCE));
  for (const page of [teacher, pupil])
    for (const { id, left, top, fill } of await objectsOf(page)) {
      const was = expected.get(id);
      if (was?.["left"] !== left || was?.["top"] !== top || was?.["fill"] !== fill)
        failed.push(`${id} is not as it was`);
    }
}

await runOrderly(async (undo) => {
  const dataDir = mkdtempSync(join(tmpdir(), "inkpool-class-"));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const product = await startProduct(dataDir);
  undo.push(product.stop);
  const config = await (await fetch(`${product.url}/config.json`)).json();
  const { supabaseAnonKey: key } = config as { supabaseAnonKey: string };
  const browser = await openBrowser(undo);
  const teacher = await openPage(browser, hostLink(product, dataDir));
  const pupil = await openPage(browser, product.url);
  const pupils: Pupil[] = [];
  for (let at = 0; at < PUPILS; at++)
    pupils.push(await openPupil(undo, product.url, key, at === PUPILS - 1 ? "Vandal" : undefined));
  const failed: string[] = [];
  const all: Class = { teacher, pupil, pupils, browser, failed };
  const badge = teacher.getByRole("button", { name: `${PUPILS + 2} users online` });
  await badge.waitFor({ timeout: PATIENCE });
  for (const one of pupils) await send(one, draw(one, STROKES, "#45b7d1"));
  const hasAll = async (): Promise<boolean> =>
    (await idsOf(pupil)).length === PUPILS * STROKES &&
    (await idsOf(teacher)).length === PUPILS * STROKES;
  note("28 pupils draw, until both pages have it", await until(hasAll, "all is drawn", PATIENCE));
  await lockAndUnlock(all);
  const vandal = pupils.at(-1) as Pupil;
  const expected = await spoil(all, vandal);
  await takeBack(all, expected);
  console.log(table(["step", "ms"], times));
  for (const one of failed) console.error(`failed: ${one}`);
  console.log(failed.length === 0 ? "class: ok" : "class: failed");
  return failed.length === 0 ? 0 : 1;
});

/** The assertions of a soak. */

import { isDeepStrictEqual } from "node:util";
import { sleep, until } from "../installation/tools.ts";
import { canSignIn, readRow, type Socket } from "./clients.ts";
import { sampleOf } from "./samples.ts";
import type { Entry } from "./ledger.ts";
import type { Soak } from "./state.ts";

/** Milliseconds in which everything has to become equal after the last interruption. */
const SETTLED_WITHIN = 120_000;
/** Milliseconds after an outage of PostgreSQL in which callers may still get 503: dead connections are dropped one by one. */
const AFTER_DATABASE = 20_000;
/** Milliseconds after a kill in which the balancer may still send requests there: for its check, and the start. */
const AFTER_KILL = 4_000;
/** Matches log lines of level error that belong to an outage. */
const OUTAGE_LINES = /^(?:the database is unavailable|not ready: )/;
/** The number of accounts that sign in again at the end. */
const ACCOUNTS = 20;
/** The number of files that a process may have more at the end than at its first sample: its pool. */
const MORE_FILES = 20;

/**
 * Examines the board in a quiet minute: everything that was reported as saved is in the row and on the first page;
 * then its visitor clears the board.
 */
export async function checkpoint(soak: Soak) {
  const { visitors, ledger, connection, failed, collected, installation } = soak;
  const [visitor] = visitors;
  if (visitor === undefined) return;
  const before = Date.now();
  const savedBefore = ({ savedAt }: Entry) => savedAt !== null && savedAt < before;
  await sleep(8_000);
  const row = await readRow(connection);
  note(
    failed,
    "a checkpoint, in the row",
    ledger.missing(idsOf(row?.canvas_json.objects), savedBefore),
  );
  // A save of a table client, which sends no message, appears once a page reads the row.
  const { ids } = await visitor.read();
  const ofPages = (entry: Entry) => entry.by.startsWith("page") && savedBefore(entry);
  note(failed, "a checkpoint, on page 1", ledger.missing(new Set(ids), ofPages));
  await visitor.clear();
  await visitor.read();
  await sleep(2_000);
  collected.page.push((await visitor.heap(true)) / 2 ** 20);
  const heap = await installation.servers[0]?.heap();
  if (heap !== undefined) collected.process.push(heap / 2 ** 20);
}

/** Examines the end. Adds faults to `failed`. */
export async function examine(soak: Soak) {
  const { failed, visitors, ledger, connection, problems } = soak;
  await settle(soak).catch((error) => failed.push(String(error.message)));
  const row = await readRow(connection);
  note(
    failed,
    "the row",
    ledger.missing(idsOf(row?.canvas_json.objects), () => true),
  );
  for (const visitor of visitors) {
    const { ids } = await visitor.read();
    note(
      failed,
      `${visitor.name} at the end`,
      ledger.missing(new Set(ids), () => true),
    );
  }
  await examineSockets(soak).catch((error) => failed.push(String(error.message)));
  for (const email of soak.accounts.slice(-ACCOUNTS))
    if (!(await canSignIn(connection, email))) failed.push(`the account ${email} cannot sign in`);
  for (const [what, count] of problems) failed.push(`${count} times: ${what}`);
  examineAnswers(soak);
  examineLog(soak);
  await examineEnd(soak);
}

function note(failed: string[], where: string, missing: string[]) {
  if (missing.length > 0)
    failed.push(`${where} misses ${missing.length} strokes: ${missing.slice(0, 5).join("; ")}`);
}

const idsOf = (objects: readonly { id: string }[] = []) => new Set(objects.map(({ id }) => id));

/** Waits until all pages say that everything is saved, and show the content of the row. */
async function settle({ visitors, connection }: Soak) {
  let difference = "";
  await until(
    async () => {
      const readings = await Promise.all(visitors.map((visitor) => visitor.read()));
      const unsaved = readings.findIndex(({ state }) => state !== "saved");
      difference = unsaved < 0 ? "" : `page ${unsaved + 1} is ${readings[unsaved]?.state}`;
      if (unsaved >= 0) return false;
      const row = await readRow(connection).catch(() => null);
      const wanted = (row?.canvas_json.objects ?? []) as unknown as readonly Properties[];
      for (const visitor of visitors) {
        const differing = firstDifference(await visitor.objects(), wanted);
        if (differing !== null) difference = `${visitor.name} differs from the row: ${differing}`;
      }
      return difference === "";
    },
    "the pages and the row are equal",
    SETTLED_WITHIN,
  ).catch((error) => {
    throw new Error(`${error.message}: ${difference}`);
  });
}

type Properties = Readonly<Record<string, unknown>>;

/**
 * Returns the first objects that differ, and their differing properties; null when all are equal. The order of
 * properties, also of those within them, does not matter.
 */
function firstDifference(
  shown: readonly Properties[],
  wanted: readonly Properties[],
): string | null {
  if (shown.length !== wanted.length) return `${shown.length} objects and ${wanted.length}`;
  for (const [at, one] of shown.entries()) {
    const other = wanted[at] ?? {};
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (name) => !isDeepStrictEqual(one[name], other[name]),
    );
    const texts = names.map((name) => `${name} ${cut(one[name])} and ${cut(other[name])}`);
    if (names.length > 0) return `object ${at}, ${texts.join("; ")}`;
  }
  return null;
}

const cut = (value: unknown) => String(JSON.stringify(value)).slice(0, 200);

/** Expects that everybody sees everybody of their topic, and receives each one's message once. */
async function examineSockets({ sockets, visitors, failed }: Soak) {
  const peersOf = (topic: string) => sockets.filter((one) => one.topic === topic);
  const isRight = (one: Socket) => one.present().length === peersOf(one.topic).length;
  await until(() => sockets.every((one) => one.isJoined() && isRight(one)), "", 30_000).catch(
    () => {
      for (const one of sockets)
        if (!one.isJoined() || !isRight(one))
          failed.push(
            `${one.key} ${one.isJoined() ? "counts" : "is not joined and counts"} ${one.present().length} of ${peersOf(one.topic).length}`,
          );
    },
  );
  for (const one of sockets) await one.say(`end ${one.key}`);
  await sleep(2_000);
  let lost = 0;
  for (const one of sockets)
    for (const peer of peersOf(one.topic))
      if (peer !== one && peer.received.get(`end ${one.key}`) !== 1) lost++;
  if (lost > 0) failed.push(`${lost} messages at the end did not arrive once`);
  for (const visitor of visitors) {
    const badge = await visitor.badge();
    if (badge !== `${visitors.length} users online`) failed.push(`${visitor.name} says ${badge}`);
  }
}

function examineAnswers({ answers, interruptions, failed }: Soak) {
  const during = (at: number, cause: RegExp, after: number) =>
    interruptions.some((one) => cause.test(one.cause) && at >= one.begin && at <= one.end + after);
  const wrong = new Map<string, number>();
  for (const { at, kind, what } of answers.failures) {
    const isExpected =
      kind === "503"
        ? during(at, /^PostgreSQL/, AFTER_DATABASE)
        : /^(?:balancer|cut)/.test(kind) && during(at, /^process killed/, AFTER_KILL);
    if (!isExpected) wrong.set(`${kind}: ${what}`, (wrong.get(`${kind}: ${what}`) ?? 0) + 1);
  }
  for (const [what, count] of wrong) failed.push(`${count} times ${what}`);
}

function examineLog({ installation, failed }: Soak) {
  const wrong = installation.log.filter(
    ({ level, message }) => level === "none" || (level === "error" && !OUTAGE_LINES.test(message)),
  );
  for (const { process, message } of wrong.slice(0, 10))
    failed.push(`${process} wrote: ${message}`);
}

/** Expects that no socket stays after all clients have left, and that each process ends with 0. */
async function examineEnd({ installation, sockets, visitors, samples, failed }: Soak) {
  await Promise.all([...sockets, ...visitors].map((one) => one.close()));
  const { servers } = installation;
  await sleep(8_000);
  for (const server of servers) {
    const sample = await sampleOf(server);
    const first = samples
      .flatMap(({ processes }) => processes)
      .find(({ name }) => name === server.name);
    if (sample === null || first === undefined) failed.push(`${server.name} has no metrics`);
    else {
      if (sample.sockets > 0)
        failed.push(`${server.name} has ${sample.sockets} sockets that nobody has`);
      if (sample.files > first.files + MORE_FILES)
        failed.push(
          `${server.name} has ${sample.files} files open, ${first.files} at the beginning`,
        );
      if (sample.waiting > 0)
        failed.push(`${sample.waiting} callers wait for a connection of ${server.name}`);
    }
    const code = await server.stop();
    if (code !== 0) failed.push(`${server.name} ended with ${code}`);
  }
}

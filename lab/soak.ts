/**
 * `npm run soak -- [--minutes 30] [--seed N] [--embedded]`: runs everything together against three processes over
 * PostgreSQL and Redis behind HAProxy, while parts of it are restarted, killed, frozen and cut off, and hostile
 * visitors attack; or against one process on the embedded database, which is attacked alone. Asserts that no stroke
 * is lost, no save takes longer than 10 s without an outage, nothing is answered with 500, and memory and the disk
 * are bounded; prints a curve by minute. Needs haproxy, PostgreSQL's programs and a Redis, unless it is the embedded
 * one.
 */

import "../scripts/node-version.mjs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { createAnswers } from "./installation/answers.ts";
import { openEmbedded, openInstallation } from "./installation/open.ts";
import { openSignUps } from "./installation/sign-ups.ts";
import { createRandom, runOrderly, sleep, type Undo } from "./installation/tools.ts";
import { openSocket, saveUntil, signInUntil, talkUntil } from "./soak/clients.ts";
import { attackUntil, slowSaves } from "./soak/hostile.ts";
import { interrupt, shuffled } from "./soak/interruptions.ts";
import { curve, judgeCollected, judgeProcesses, sparkline } from "./soak/judge.ts";
import { createLedger } from "./soak/ledger.ts";
import { drawUntil, openBrowser, openVisitor } from "./soak/pages.ts";
import { sampleOf, sizeOf } from "./soak/samples.ts";
import { checkpoint, examine } from "./soak/examine.ts";
import type { Soak } from "./soak/state.ts";

const PAGES = 3;
const SOCKETS = 80;
/** The numbers of table clients, some of which bypass the balancer and use the process that is never restarted. */
const SAVERS = { balanced: 2, direct: 2 };
const SAMPLE = 10_000;
/** The process that hostile visitors attack, and the greatest size of its memory in MB. */
const ATTACKED = "process 1";
const MAX_MEMORY = 1_200;
/**
 * The greatest sizes in MB of all data on the disk, and of the log of the embedded database. PostgreSQL keeps 1 GB of
 * its own.
 */
const MAX_DISK = { embedded: 500, PostgreSQL: 2_000 };
const MAX_LOG = 100;

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    seed: { type: "string" },
    embedded: { type: "boolean", default: false },
  },
});
const MINUTES = Number(options.minutes);
const SEED = Number(options.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!(MINUTES > 0) || !Number.isInteger(SEED)) {
  console.error("expected --minutes and a number above 0, --seed and a whole number, --embedded");
  process.exit(1);
}
/** Milliseconds between two interruptions, and between two checkpoints, at each of which the board is cleared. */
const PAUSE = MINUTES < 10 ? 6_000 : 22_000;
const CYCLE = MINUTES < 10 ? 70_000 : 270_000;

const ENV = { DRAIN_SECONDS: "6", ...openSignUps() };

function say(text: string) {
  console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

async function open(undo: Undo[]): Promise<Soak> {
  const interruptible = options.embedded
    ? null
    : await openInstallation(undo, ENV, { hasInspector: true });
  const installation = interruptible ?? (await openEmbedded(undo, ENV));
  const answers = createAnswers();
  const { origin, key } = installation;
  return {
    ...{ installation, interruptible, answers, ledger: createLedger() },
    connection: { origin, key, fetch: answers.fetch },
    ...{ visitors: [], sockets: [], samples: [], interruptions: [], accounts: [], failed: [] },
    ...{ problems: new Map(), counts: { saves: 0, conflicts: 0, timed: [] } },
    collected: { page: [], process: [] },
    begin: Date.now(),
    disk: { all: 0, log: 0 },
  };
}

async function sampleUntil(soak: Soak, isOver: () => boolean) {
  while (!isOver()) {
    const at = Date.now();
    const processes = await Promise.all(soak.installation.servers.map(sampleOf));
    soak.disk.all = Math.max(soak.disk.all, sizeOf(soak.installation.folder));
    soak.disk.log = Math.max(soak.disk.log, ...processes.map((one) => one?.log ?? 0));
    const heaps = await Promise.all(soak.visitors.map((one) => one.heap().catch(() => 0)));
    soak.samples.push({
      at,
      minute: Math.floor((at - soak.begin) / 60_000),
      processes: processes.filter((one) => one !== null),
      heaps: heaps.map((heap) => heap / 2 ** 20),
    });
    await sleep(SAMPLE - (Date.now() - at));
  }
}

/**
 * Makes one interruption after the other, and a checkpoint after each cycle.
 *
 * @param isOver Whether the soak is over now, or in so many milliseconds.
 */
async function interruptUntil(soak: Soak, isOver: (ahead?: number) => boolean) {
  const random = createRandom(SEED);
  let causes: string[] = [];
  let cycle = Date.now();
  while (!isOver()) {
    await sleep(PAUSE);
    // The last cycle's strokes are examined at the end.
    if (Date.now() - cycle > CYCLE && !isOver(60_000)) {
      await sleep(15_000);
      await checkpoint(soak);
      cycle = Date.now();
    }
    if (isOver()) return;
    if (soak.interruptible === null) continue;
    if (causes.length === 0) causes = shuffled(random);
    const interruption = await interrupt(causes.pop() ?? "", soak.interruptible, random);
    soak.interruptions.push(interruption);
    const seconds = ((interruption.end - interruption.begin) / 1000).toFixed(1);
    say(`${interruption.what}, ${seconds} s in all`);
  }
}

function savers({ connection, installation, ledger, counts }: Soak, isOver: () => boolean) {
  const direct = { ...connection, origin: installation.servers[0]?.url ?? "" };
  return Array.from({ length: SAVERS.balanced + SAVERS.direct }, (_, n) => {
    const random = createRandom(SEED + 300 + n);
    const own = n < SAVERS.balanced ? connection : direct;
    return saveUntil({ connection: own, author: `soak${n}`, random, ledger, counts, isOver });
  });
}

async function main(undo: Undo[]) {
  say(`seed ${SEED}, ${MINUTES} minutes`);
  const soak = await open(undo);
  const { connection, ledger, answers, problems, sockets, counts } = soak;
  const { timed } = counts;
  const browser = await openBrowser(undo);
  for (let n = 1; n <= PAGES; n++) {
    const random = createRandom(SEED + n);
    const name = `page ${n}`;
    const { origin } = connection;
    soak.visitors.push(
      await openVisitor({ browser, origin, name, random, ledger, answers, timed, problems }),
    );
  }
  for (let n = 0; n < SOCKETS; n++) sockets.push(openSocket(connection, n));
  undo.push(() => Promise.all(sockets.map((socket) => socket.close())));
  say("everything runs");
  soak.begin = Date.now();
  const isOver = (ahead = 0) => Date.now() + ahead - soak.begin > MINUTES * 60_000;
  const load = [
    sampleUntil(soak, isOver),
    interruptUntil(soak, isOver),
    attackUntil(soak, isOver, say),
    talkUntil(connection, sockets, createRandom(SEED + 100), isOver),
    signInUntil({ connection, accounts: soak.accounts, problems, isOver }),
    ...soak.visitors.map((visitor, n) =>
      drawUntil(visitor, createRandom(SEED + 200 + n), isOver, n > 0),
    ),
    ...savers(soak, isOver),
  ];
  await Promise.all(load);
  say("the load has ended; everything settles");
  await examine(soak);
  return report(soak);
}

/**
 * Prints the results.
 * @returns The exit code.
 */
function report({
  samples,
  answers,
  interruptions,
  failed,
  ledger,
  counts,
  accounts,
  collected,
  problems,
  installation,
  disk,
}: Soak): number {
  const first = samples.flatMap(({ processes }) =>
    processes.filter(({ name }) => name === ATTACKED),
  );
  const growths = [
    ...judgeProcesses(samples, ATTACKED),
    ...judgeCollected("process 1", collected.process),
    ...judgeCollected("page 1", collected.page),
  ];
  for (const { what, before, after, isFlat } of growths)
    if (!isFlat)
      failed.push(`memory grows: ${what}: ${before.toFixed(1)} to ${after.toFixed(1)} MB`);
  const peak = Math.max(0, ...first.map(({ rss }) => rss));
  if (peak > MAX_MEMORY) failed.push(`${ATTACKED} had ${peak.toFixed(0)} MB`);
  if (disk.log > MAX_LOG) failed.push(`the log had ${disk.log.toFixed(0)} MB`);
  if (disk.all > MAX_DISK[options.embedded ? "embedded" : "PostgreSQL"])
    failed.push(`the data had ${disk.all.toFixed(0)} MB`);
  for (const { begin, end } of slowSaves(counts.timed, interruptions))
    failed.push(`a save took ${((end - begin) / 1000).toFixed(1)} s without an outage`);
  const lines = new Map<string, number>();
  for (const { level, message } of installation.log)
    lines.set(`${level} ${message}`, (lines.get(`${level} ${message}`) ?? 0) + 1);
  const cpu = Math.max(0, ...first.map((one) => one.cpu));
  console.log(`\n${curve(samples, answers.failures, interruptions)}\n`);
  console.log(`process 1, resident MB every 10 s: ${sparkline(first.map(({ rss }) => rss))}`);
  console.log(`process 1, heap MB every 10 s: ${sparkline(first.map(({ heap }) => heap))}`);
  for (const [what, values] of Object.entries(collected))
    console.log(
      `${what} 1, MB without garbage after each clear: ${values.map((one) => one.toFixed(1)).join(", ")}`,
    );
  for (const { what, before, after } of growths)
    console.log(`${what}: ${before.toFixed(1)} MB, then ${after.toFixed(1)} MB`);
  console.log(
    "\nrequests:",
    Object.fromEntries([...answers.counts].toSorted(([a], [b]) => a.localeCompare(b))),
  );
  console.log(
    "strokes:",
    ledger.counts(),
    "saves of table clients:",
    { saves: counts.saves, conflicts: counts.conflicts },
    "the slowest, ms:",
    Math.max(0, ...counts.timed.map(({ begin, end }) => end - begin)),
    "accounts:",
    accounts.length,
  );
  console.log(
    "interruptions:",
    interruptions.length,
    `CPU of process 1: ${cpu.toFixed(0)} s of ${cpus().length} cores`,
  );
  console.log(
    `MB at most: ${ATTACKED} ${peak.toFixed(0)}, data ${disk.all.toFixed(0)}, log of the embedded database ${disk.log.toFixed(0)}`,
  );
  console.log("log lines:", Object.fromEntries(lines));
  console.log("of clients:", Object.fromEntries(problems), "\n");
  if (failed.length === 0) console.log("soak: ok");
  else
    console.log(
      `soak: failed (npm run soak -- --seed ${SEED} --minutes ${MINUTES}${options.embedded ? " --embedded" : ""})\n- ${failed.join("\n- ")}`,
    );
  return failed.length === 0 ? 0 : 1;
}

await runOrderly(main);

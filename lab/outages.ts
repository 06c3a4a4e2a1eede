/**
 * One outage after the other under three processes behind HAProxy with 1,000 sockets: PostgreSQL and Redis are frozen,
 * restarted, killed and cut off without a word, and a process is killed. Prints for each what clients noticed. Asserts
 * that nothing is answered with 500, that no acknowledged save is lost, and that at the end everybody receives everybody.
 * Needs haproxy, PostgreSQL's programs and a Redis.
 *
 *   npx tsx lab/outages.ts [SECONDS]
 */

import "../scripts/node-version.mjs";
import { table } from "./figures.ts";
import { createAnswers } from "./installation/answers.ts";
import { openInstallation, type Installation } from "./installation/open.ts";
import { isOk, runOrderly, sleep, until, type Undo } from "./installation/tools.ts";
import { openCrowd } from "./outages/crowd.ts";
import { openRequests } from "./outages/requests.ts";
import { metric } from "./soak/samples.ts";

/** How long each thing is away. */
const SECONDS = Number(process.argv[2] ?? 10);
const SOCKETS = 1_000;
/** Milliseconds that belong to an outage after its end, and the rest before the next one. */
const AFTER = 10_000;

const OUTAGES: Readonly<Record<string, (installation: Installation) => Promise<unknown>>> = {
  none: () =>
    away(
      () => {},
      () => {},
    ),
  "PostgreSQL frozen": ({ postgres }) => away(postgres.freeze, postgres.thaw),
  "PostgreSQL restarted": ({ postgres }) => postgres.stop().then(postgres.start),
  "PostgreSQL killed": ({ postgres }) => away(postgres.kill, postgres.start),
  "PostgreSQL half-open, for all": ({ relays }) =>
    away(
      () => relays.forEach(({ postgres }) => postgres.swallow()),
      () => relays.forEach(({ postgres }) => postgres.pass()),
    ),
  "Redis frozen": ({ redis }) => away(redis.freeze, redis.thaw),
  "Redis restarted": ({ redis }) => redis.stop().then(redis.start),
  "Redis killed": ({ redis }) => away(redis.kill, redis.start),
  "Redis half-open, for all": ({ relays }) =>
    away(
      () => relays.forEach(({ redis }) => redis.swallow()),
      () => relays.forEach(({ redis }) => redis.pass()),
    ),
  "process 2 killed": async ({ servers }) => {
    const server = servers[1];
    await away(
      () => server?.kill(),
      () => server?.start(),
    );
  },
};

async function away(begin: () => unknown, end: () => unknown) {
  await begin();
  await sleep(1_000 * SECONDS);
  await end();
}

const isWhole = async ({ servers }: Installation) =>
  (
    await Promise.all(
      servers.map(async ({ url }) => {
        if (!(await isOk(`${url}/readyz`))) return false;
        const text = await fetch(`${url}/metrics`).then(
          (answer) => answer.text(),
          () => "",
        );
        return metric(text, "inkpool_cluster_peers") === servers.length - 1;
      }),
    )
  ).every(Boolean);

async function main(undo: Undo[]) {
  // One address opens all sockets, and after a kill a third of them at once.
  const installation = await openInstallation(undo, { REALTIME_CONNECTS_PER_SECOND: "1000" });
  const { origin, key, log } = installation;
  const answers = createAnswers();
  const crowd = openCrowd(undo, { origin, key, count: SOCKETS });
  await until(() => crowd.open() === SOCKETS, "all sockets have joined", 60_000);
  const requests = await openRequests({ origin, key, answers });
  await sleep(3_000);
  const rows = [];
  for (const [name, happen] of Object.entries(OUTAGES)) {
    answers.counts.clear();
    crowd.begin();
    const begin = Date.now();
    await happen(installation);
    const end = Date.now();
    const [fresh, saves, whole] = await Promise.all([
      requests.freshSave(),
      until(() => requests.lastSave() > end, "a save succeeds", 120_000),
      until(() => isWhole(installation), "all processes are ready and know each other", 120_000),
    ]);
    await until(() => crowd.open() === SOCKETS, "all sockets are back", 120_000);
    await sleep(Math.max(0, AFTER - (Date.now() - end)));
    const { within, across, closes } = crowd.end();
    rows.push([
      name,
      ((end - begin) / 1000).toFixed(1),
      (answers.counts.get("2xx") ?? 0) + (answers.counts.get("4xx") ?? 0),
      answers.counts.get("503") ?? 0,
      [...answers.counts]
        .filter(([kind]) => !["2xx", "4xx", "503"].includes(kind))
        .map(([kind, count]) => `${count} ${kind}`)
        .join(", ") || "0",
      (fresh / 1000).toFixed(1),
      (saves / 1000).toFixed(1),
      (whole / 1000).toFixed(1),
      `${within.lost} of ${within.sent}`,
      `${across.lost} of ${across.sent}`,
      [...closes].map(([why, count]) => `${count} ${why}`).join(", ") || "0",
    ]);
    console.log(rows.at(-1)?.join(" | "));
  }
  console.log(
    `\n${table(["what was away", "s", "answered", "503", "other", "a new client saves after, s", "an old one after, s", "whole again after, s", "lost within a process", "lost between processes", "sockets closed"], rows)}\n`,
  );
  crowd.begin();
  await sleep(5_000);
  const { within, across } = crowd.end();
  const failed = await requests.end();
  if (within.lost + across.lost > 0)
    failed.push(`${within.lost} and ${across.lost} messages did not arrive at the end`);
  const wrong = answers.failures.filter(({ kind }) => !/^(?:503|balancer \d+|cut)$/.test(kind));
  for (const { kind, what } of wrong.slice(0, 5)) failed.push(`${kind}: ${what}`);
  for (const { level, message } of log)
    if (level === "none") failed.push(`a process wrote: ${message}`);
  console.log(failed.length === 0 ? "outages: ok" : `outages: failed\n- ${failed.join("\n- ")}`);
  return failed.length === 0 ? 0 : 1;
}

await runOrderly(main);

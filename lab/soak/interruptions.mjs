/** What goes wrong in a soak, on a schedule that follows from a seed. */

import { integer, sleep } from "../installation/tools.ts";

/**
 * @typedef {object} Interruption
 * @property {string} what
 * @property {string} cause One of `CAUSES`.
 * @property {number} begin Milliseconds since 1970.
 * @property {number} end
 */

/** @typedef {import("../installation/open.ts").Installation} Installation */

/** Seconds that something is away. */
const AWAY = /** @type {const} */ ([3, 12]);

/**
 * Each does one thing and returns once it is over. The first process is never restarted: its memory is the long curve.
 *
 * @type {Readonly<Record<string, (installation: Installation, random: () => number) => Promise<string>>>}
 */
export const CAUSES = {
  "process stopped": async ({ servers }, random) => {
    const server = servers[integer(random, 1, servers.length - 1)];
    const code = await server?.stop();
    await server?.start();
    return `${server?.name}, exit code ${code}`;
  },
  "process killed": async ({ servers }, random) => {
    const server = servers[integer(random, 1, servers.length - 1)];
    await server?.kill();
    await sleep(1_000 * integer(random, 1, 4));
    await server?.start();
    return `${server?.name}`;
  },
  "Redis restarted": ({ redis }) => restarted(redis, "stop", 0),
  "Redis killed": ({ redis }, random) => restarted(redis, "kill", integer(random, ...AWAY)),
  "Redis frozen": ({ redis }, random) => frozen(redis, integer(random, ...AWAY)),
  "Redis half-open": ({ relays }, random) => swallowed(relays, "redis", random),
  "PostgreSQL restarted": ({ postgres }) => restarted(postgres, "stop", 0),
  "PostgreSQL killed": ({ postgres }, random) =>
    restarted(postgres, "kill", integer(random, ...AWAY)),
  "PostgreSQL frozen": ({ postgres }, random) => frozen(postgres, integer(random, ...AWAY)),
  "PostgreSQL half-open": ({ relays }, random) => swallowed(relays, "postgres", random),
};

/**
 * All causes once, in an order that follows from the random numbers.
 *
 * @param {() => number} random @returns {string[]}
 */
export function shuffled(random) {
  return Object.keys(CAUSES)
    .map((cause) => /** @type {const} */ ([random(), cause]))
    .toSorted(([a], [b]) => a - b)
    .map(([, cause]) => cause);
}

/** @param {string} cause @param {Installation} installation @param {() => number} random @returns {Promise<Interruption>} */
export async function interrupt(cause, installation, random) {
  const begin = Date.now();
  const detail = await CAUSES[cause]?.(installation, random);
  return { what: `${cause} (${detail})`, cause, begin, end: Date.now() };
}

/**
 * @param {import("../installation/postgres.ts").Backend} backend @param {"stop" | "kill"} how
 * @param {number} seconds Between the end and the start.
 */
async function restarted(backend, how, seconds) {
  await backend[how]();
  await sleep(1_000 * seconds);
  await backend.start();
  return `${seconds} s`;
}

/** @param {import("../installation/postgres.ts").Backend} backend @param {number} seconds */
async function frozen(backend, seconds) {
  backend.freeze();
  await sleep(1_000 * seconds);
  backend.thaw();
  return `${seconds} s`;
}

/** @param {Installation["relays"]} relays @param {"postgres" | "redis"} kind @param {() => number} random */
async function swallowed(relays, kind, random) {
  const at = integer(random, 0, relays.length - 1);
  const relay = relays[at]?.[kind];
  const seconds = integer(random, ...AWAY);
  relay?.swallow();
  await sleep(1_000 * seconds);
  relay?.pass();
  return `of process ${at + 1}, ${seconds} s`;
}

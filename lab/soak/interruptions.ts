/** The interruptions of a soak, on a schedule that follows from a seed. */

import { integer, sleep } from "../installation/tools.ts";
import type { Backend } from "../installation/postgres.ts";
import type { Installation } from "../installation/open.ts";

export interface Interruption {
  what: string;
  /** The cause, one of `CAUSES`. */
  cause: string;
  /** The beginning, in milliseconds since 1970. */
  begin: number;
  end: number;
}

/** Least and greatest number of seconds for which something is unavailable. */
const AWAY = [3, 12] as const;

/**
 * The interruptions by cause. Each function causes one and returns once it is over. The first process is never
 * restarted: its memory is the long curve.
 */
export const CAUSES: Readonly<
  Record<string, (installation: Installation, random: () => number) => Promise<string>>
> = {
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

/** Returns all causes once, in an order that follows from the random numbers. */
export function shuffled(random: () => number): string[] {
  return Object.keys(CAUSES)
    .map((cause) => [random(), cause] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, cause]) => cause);
}

export async function interrupt(
  cause: string,
  installation: Installation,
  random: () => number,
): Promise<Interruption> {
  const begin = Date.now();
  const detail = await CAUSES[cause]?.(installation, random);
  return { what: `${cause} (${detail})`, cause, begin, end: Date.now() };
}

/**
 * Restarts a backend.
 * @param seconds Between the end and the start.
 */
async function restarted(backend: Backend, how: "stop" | "kill", seconds: number) {
  await backend[how]();
  await sleep(1_000 * seconds);
  await backend.start();
  return `${seconds} s`;
}

async function frozen(backend: Backend, seconds: number) {
  backend.freeze();
  await sleep(1_000 * seconds);
  backend.thaw();
  return `${seconds} s`;
}

async function swallowed(
  relays: Installation["relays"],
  kind: "postgres" | "redis",
  random: () => number,
) {
  const at = integer(random, 0, relays.length);
  // The number after the last process stands for all of them.
  const cut = at === relays.length ? relays : relays.slice(at, at + 1);
  const seconds = integer(random, ...AWAY);
  for (const relay of cut) relay[kind].swallow();
  await sleep(1_000 * seconds);
  for (const relay of cut) relay[kind].pass();
  return `of ${cut === relays ? "all processes" : `process ${at + 1}`}, ${seconds} s`;
}

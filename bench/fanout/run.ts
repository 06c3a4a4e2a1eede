/**
 * Measures the CPU time of the server's process per delivered message, the product against a bare `ws` relay. Each
 * round starts a process of each and measures them in turns (A B A B ...); medians. Loopback only.
 *
 *   npx tsx bench/fanout/run.ts [--heavy] [--only=<people>x<bytes>] [--rounds=3] [--seconds=2] [--rate=<messages a second>] [--memory]
 *
 * Without --heavy: 10 and 50 people with 200 B and 2 KB. With it: 200 and 1,000 people and 100 KB as well.
 */

import { median } from "../../lab/measuring/figures.ts";
import { gather, makeMessage, makePayload, probe, talk } from "./people.ts";
import { compile, seeded, startRealtime, startRelay, type Server } from "./servers.ts";

const options: Readonly<Record<string, string | true | undefined>> = Object.fromEntries(
  process.argv.slice(2).map((text) => {
    const [name = "", value = true] = text.replace(/^--/, "").split("=");
    return [name, value];
  }),
);
const rounds = Number(options.rounds ?? 3);
const seconds = Number(options.seconds ?? 2);

/** Messages a second of the whole channel, by its size, when it is busy. */
type Figures = Readonly<Record<number, number>>;

const SMALL_RATE: Figures = { 10: 200, 50: 200, 200: 100, 1000: 60 };
const LARGE_RATE: Figures = { 10: 100, 50: 40, 200: 10, 1000: 2 };
const GOALS: Figures = { 10: 1.3, 50: 1.1, 200: 1.1, 1000: 0.9 };
const LARGE = 100_000;
/**
 * The load before the measurement, so that the compiler is done with the hot path, as it is in a server that has run
 * for a minute: small messages, then the measured ones.
 */
const WARM_SMALL = { seconds: 3, bytes: 200, rate: 1500 };
const WARM_DELIVERIES = 30_000;
const WARM_BYTES = 600_000_000;
const WARM_SECONDS = 3;
/** The number of times that the two processes of a pair are measured in turns. */
const PASSES = 3;

interface Scenario {
  people: number;
  bytes: number;
}

function scenarios(): Scenario[] {
  const all = [10, 50, 200, 1000].flatMap((people) =>
    [200, 2_000, LARGE].map((bytes) => ({ people, bytes })),
  );
  if (options.only !== undefined)
    return all.filter(({ people, bytes }) => `${people}x${bytes}` === options.only);
  return options.heavy ? all : all.filter(({ people, bytes }) => people <= 50 && bytes < LARGE);
}

type Name = "relay" | "product";

const SERVERS: Readonly<
  Record<Name, { start: (flags: readonly string[]) => Promise<Server>; join: boolean }>
> = {
  relay: { start: startRelay, join: false },
  product: { start: (flags) => startRealtime({ flags }), join: true },
};

const NAMES = ["relay", "product"] as const;

/** Opens a server with a channel of clients who have talked until the compiler was done with the hot path. */
async function open(name: Name, { people: count, bytes }: Scenario, version: number) {
  const server = await SERVERS[name].start([]);
  const people = await gather(server.port, count, version, SERVERS[name].join);
  const warmUp = async (message: Buffer, load: { rate: number; seconds: number }) =>
    talk(people, message, { ...load, random: seeded(1), size: await probe(people, message) });
  await warmUp(makeMessage(version, makePayload(WARM_SMALL.bytes)), {
    rate: Math.min(WARM_SMALL.rate, WARM_DELIVERIES / count),
    seconds: WARM_SMALL.seconds,
  });
  const frame = makeMessage(version, makePayload(bytes));
  await warmUp(frame, {
    rate: Math.min(3000, WARM_DELIVERIES / count, WARM_BYTES / bytes / count),
    seconds: WARM_SECONDS,
  });
  const size = await probe(people, frame);
  const rate = Number(options.rate ?? (bytes >= LARGE ? LARGE_RATE : SMALL_RATE)[count]);

  /** Measures the microseconds of the server's CPU for one delivery. */
  async function measure(seed: number) {
    const before = await server.ask();
    const result = await talk(people, frame, { rate, seconds, random: seeded(seed), size });
    const after = await server.ask();
    const expected = result.sent * (count - 1);
    if (result.delivered !== expected)
      throw new Error(`${name}: ${result.delivered} of ${expected} messages arrived`);
    return (after.cpu - before.cpu) / expected;
  }
  async function close() {
    for (const person of people) person.socket.destroy();
    await server.stop();
  }
  return { measure, close };
}

/** Measures one process of each in turns; returns the median of each. */
async function compare(scenario: Scenario, version: number, round: number) {
  const servers: Awaited<ReturnType<typeof open>>[] = [];
  try {
    for (const name of NAMES) servers.push(await open(name, scenario, version));
    const times = NAMES.map((): number[] => []);
    for (let pass = 0; pass < PASSES; pass++)
      for (const [n, server] of servers.entries())
        times[n]?.push(await server.measure(1000 * round + pass));
    return times.map(median);
  } finally {
    for (const server of servers) await server.close();
  }
}

/** Measures the bytes of memory for one idle connection. */
async function idleMemory(name: Name, count: number) {
  const server = await SERVERS[name].start(["--expose-gc"]);
  try {
    const before = await server.ask();
    const people = await gather(server.port, count, 2, SERVERS[name].join);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = await server.ask();
    for (const person of people) person.socket.destroy();
    return (after.rss - before.rss) / count;
  } finally {
    await server.stop();
  }
}

const cell = (text: string | number, width: number) => String(text).padStart(width);

compile();

console.log("| people | bytes | vsn | relay µs | product µs | ratio | goal |");
console.log("|---:|---:|---:|---:|---:|---:|---:|");
for (const scenario of scenarios())
  for (const version of [1, 2]) {
    const pairs: number[][] = [];
    for (let round = 0; round < rounds; round++)
      pairs.push(await compare(scenario, version, round));
    const at = (n: number) => median(pairs.map((pair) => pair[n] ?? Number.NaN));
    const [relay, product] = [at(0), at(1)];
    console.log(
      `|${cell(scenario.people, 6)} |${cell(scenario.bytes, 7)} | ${version} |${cell(relay.toFixed(2), 7)} |` +
        `${cell(product.toFixed(2), 7)} |${cell((product / relay).toFixed(2), 5)} | ${GOALS[scenario.people]} |`,
    );
  }

if (options.memory) {
  const count = Number(options.memory === true ? 500 : options.memory);
  const kilobytes = async (name: Name) => ((await idleMemory(name, count)) / 1024).toFixed(1);
  console.log(
    `Memory for each of ${count} idle connections: ${await kilobytes("relay")} KB in the relay, ` +
      `${await kilobytes("product")} KB in the product; the goal is the relay's and 12 KB more.`,
  );
}

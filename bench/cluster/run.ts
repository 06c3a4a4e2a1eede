/**
 * Measures the cost of a delivered message with several processes: CPU time of all server processes together, one
 * process against three on one Redis, in turns (A B A B ...) in one run; medians. The CPU time of Redis is a column
 * of its own, since it is another program and may be on another machine. Beside it a bare server that does the same
 * (floor.ts). Loopback only.
 *
 * In most scenarios a message is sent when everybody has the one before and the window has passed in which messages
 * share a write: how many do depends on how busy the machine is. With as many messages as the pages plan with
 * (LIVE_BUDGET) they are sent at random moments, as people do.
 *
 *   npx tsx bench/cluster/run.ts [--rounds=3] [--passes=3] [--seconds=3] [--vsn=2] [--only=<people>x<bytes>[@<rate>]] [--profile=<folder>]
 *
 * `--profile` leaves a CPU profile of each server process in the folder. Needs redis-server or valkey-server.
 */

import { parseArgs } from "node:util";
import { median } from "../../lab/measuring/figures.ts";
import { gather, makeMessage, makePayload, probe, talk, type Person } from "../fanout/people.ts";
import {
  compile,
  seeded,
  startFloor,
  startRealtime,
  type Server,
  type Usage,
} from "../fanout/servers.ts";
import { startRedis, type Redis } from "./redis.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    passes: { type: "string", default: "3" },
    seconds: { type: "string", default: "3" },
    vsn: { type: "string", default: "2" },
    only: { type: "string" },
    profile: { type: "string" },
  },
});
const rounds = Number(options.rounds);
/** The number of times that one and three processes are measured in turns, in each round. */
const passesOfRound = Number(options.passes);
const seconds = Number(options.seconds);
const version = Number(options.vsn);

interface Scenario {
  people: number;
  bytes: number;
  rate: number;
  spread: boolean;
  random?: boolean;
  goal?: number;
}

interface Subject {
  processes: number;
  /** Whether it is the bare server instead of the product. */
  bare: boolean;
}

interface Measured {
  servers: number;
  redis: number;
  together: number;
  delay: number;
}

/**
 * `rate`: messages a second of the whole topic. `spread`: over all processes, or all people on the first. `random`: at
 * random moments, and not one after the other.
 */
const SCENARIOS: readonly Scenario[] = [
  { people: 300, bytes: 200, rate: 60, spread: true, goal: 1.15 },
  { people: 300, bytes: 2_000, rate: 60, spread: true, goal: 1.15 },
  { people: 300, bytes: 200, rate: 160, spread: true, random: true, goal: 1.15 },
  { people: 300, bytes: 2_000, rate: 160, spread: true, random: true, goal: 1.15 },
  { people: 6, bytes: 200, rate: 400, spread: false, goal: 1.2 },
  { people: 6, bytes: 200, rate: 400, spread: true },
];
const PROCESSES = 3;
/**
 * The load before the measurement, so that the compiler is done with everything that happens once for a message and
 * once for a delivery: much talk among a few, then some in the measured topic, alike for each process.
 */
const WARM_FEW = { people: 3, rate: 4_000, seconds: 6 };
const WARM = { deliveries: 100_000, seconds: 4 };
/** A pause above the windows of the fan-out, see server/realtime/topic/fanout.ts. */
const REST_MS = 13;
const SMALL = 16;

/** The number of prefixes so far: processes with the same prefix belong together. */
let prefixes = 0;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function startServers({ processes, bare }: Subject, redis: Redis): Promise<Server[]> {
  const flags = options.profile ? ["--cpu-prof", `--cpu-prof-dir=${options.profile}`] : [];
  const servers: Server[] = [];
  const cluster = { redis: processes > 1 ? redis.url : "", prefix: `bench-${++prefixes}:` };
  for (let number = 0; number < processes; number++)
    servers.push(
      bare
        ? await startFloor({ ...cluster, number, count: processes })
        : await startRealtime({ ...cluster, flags }),
    );
  return servers;
}

/** Opens server processes with a topic of people who have talked until the compiler was done with the hot path. */
async function open(scenario: Scenario, subject: Subject, redis: Redis) {
  const { people: count, bytes, rate, spread } = scenario;
  const servers = await startServers(subject, redis);
  const shares = spread ? servers : servers.slice(0, 1);
  const enter = async (number: number): Promise<Person[]> => {
    const groups = await Promise.all(
      shares.map(({ port }) => gather(port, number / shares.length, version, true)),
    );
    await wait(500);
    // They are in rotation, so that each process gets the same part of the messages.
    return groups[0]?.flatMap((_, n) => groups.flatMap((group) => group[n] ?? [])) ?? [];
  };
  const frame = makeMessage(version, makePayload(bytes));
  const few = await enter(WARM_FEW.people);
  const size = await frameSize(few, frame);
  const load = { rate: WARM_FEW.rate, seconds: WARM_FEW.seconds * shares.length };
  await talk(few, frame, { ...load, random: seeded(1), size });
  for (const person of few) person.socket.destroy();
  const people = await enter(count);
  const warm = Math.min(rate, WARM.deliveries / count / WARM.seconds);
  await talk(people, frame, {
    rate: warm,
    seconds: WARM.seconds * shares.length,
    random: seeded(2),
    size,
  });
  const random = seeded(3);
  const conversation = scenario.random ? null : converse(people, { frame, size, rate });
  /** Returns the number of delivered messages, and the time of each until everybody had it, in ms. */
  const converseFor = async (time: number): Promise<{ delivered: number; delays: number[] }> => {
    if (conversation === null)
      return { ...(await talk(people, frame, { rate, seconds: time, random, size })), delays: [] };
    const delays = await conversation(rate * time);
    return { delivered: delays.length * (count - 1), delays };
  };

  const used = async () => {
    const answers = await Promise.all(servers.map((server) => server.ask()));
    const sum = (pick: (usage: Usage) => number) =>
      answers.reduce((total, answer) => total + pick(answer), 0);
    return {
      servers: sum(({ cpu }) => cpu),
      writes: sum(({ writes }) => writes),
      redis: redis.cpu(),
    };
  };
  /**
   * Measures the microseconds of CPU for one delivery, of the servers and of Redis, the deliveries in one write, and
   * the milliseconds until everybody has a message.
   */
  async function measure(): Promise<Measured> {
    const before = await used();
    const { delivered, delays } = await converseFor(seconds);
    const after = await used();
    return {
      servers: (after.servers - before.servers) / delivered,
      redis: (after.redis - before.redis) / delivered,
      together: delivered / (after.writes - before.writes),
      delay: median(delays),
    };
  }
  async function close() {
    for (const person of people) person.socket.destroy();
    await Promise.all(servers.map((server) => server.stop()));
  }
  return { measure, close };
}

/** Returns the bytes of a message for one receiver. On a busy machine a probe may end before everybody has it. */
async function frameSize(people: readonly Person[], frame: Buffer) {
  for (let last = -1; ;) {
    const size = await probe(people, frame);
    if (size === last && Number.isInteger(size)) return size;
    last = size;
  }
}

/**
 * Returns a function that has `number` messages sent, by each in turn, and returns the time of each until everybody
 * had it, in ms.
 */
function converse(
  people: readonly Person[],
  { frame, size, rate }: { frame: Buffer; size: number; rate: number },
) {
  let missing = 0;
  let onAll = () => {};
  const onData = (chunk: Buffer) => {
    missing -= chunk.length;
    if (missing === 0) onAll();
    if (missing < 0) throw new Error("more came than was sent");
  };
  for (const { socket } of people) socket.on("data", onData);
  let sender = 0;
  const send = () =>
    new Promise<void>((resolve) => {
      missing = (people.length - 1) * size;
      onAll = resolve;
      people[sender++ % people.length]?.socket.write(frame);
    });
  return async (number: number) => {
    const delays: number[] = [];
    const rest = people.length > SMALL ? REST_MS : 0;
    for (let due = performance.now(); delays.length < number; due += 1000 / rate) {
      await wait(Math.max(rest, due - performance.now()));
      const start = performance.now();
      await send();
      delays.push(performance.now() - start);
    }
    return delays;
  };
}

const SUBJECTS: readonly Subject[] = [
  { processes: 1, bare: false },
  { processes: PROCESSES, bare: false },
  { processes: 1, bare: true },
  { processes: PROCESSES, bare: true },
];

/** Returns the medians of one round. */
async function compare(scenario: Scenario, redis: Redis) {
  const subjects: Awaited<ReturnType<typeof open>>[] = [];
  try {
    for (const subject of SUBJECTS) subjects.push(await open(scenario, subject, redis));
    const passes = subjects.map((): Measured[] => []);
    for (let pass = 0; pass < passesOfRound; pass++)
      for (const [n, subject] of subjects.entries()) passes[n]?.push(await subject.measure());
    const middle = (list: readonly Measured[] = []): Measured => ({
      servers: median(list.map(({ servers }) => servers)),
      redis: median(list.map(({ redis: cpu }) => cpu)),
      together: median(list.map(({ together }) => together)),
      delay: median(list.map(({ delay }) => delay)),
    });
    const [one, three] = [middle(passes[0]), middle(passes[1])];
    const [bareOne, bareThree] = [middle(passes[2]), middle(passes[3])];
    const ratio = three.servers / one.servers;
    return { one, three, ratio, bareOne, bareRatio: bareThree.servers / bareOne.servers };
  } finally {
    for (const subject of subjects) await subject.close();
  }
}

compile();
const redis = await startRedis();
const wanted = SCENARIOS.filter(({ people, bytes, rate }) => {
  const names = [`${people}x${bytes}`, `${people}x${bytes}@${rate}`];
  return options.only === undefined || names.includes(options.only);
});

console.log(
  "| people | bytes | messages a second | where | one process, µs | three processes, µs | ratio | ratios of the rounds | goal | bare, one process, µs | bare, ratio | messages in one write, one | three | Redis, µs | until all have it, ms, one | three |",
);
console.log("|---:|---:|---|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|");
for (const scenario of wanted) {
  const results: Awaited<ReturnType<typeof compare>>[] = [];
  for (let round = 0; round < rounds; round++) results.push(await compare(scenario, redis));
  const of = (pick: (result: Awaited<ReturnType<typeof compare>>) => number) =>
    median(results.map(pick));
  const one = of((result) => result.one.servers);
  const three = of((result) => result.three.servers);
  const cells = [
    scenario.people,
    scenario.bytes.toLocaleString("en"),
    `${scenario.rate}, ${scenario.random ? "at random" : "one by one"}`,
    scenario.spread ? "spread over three" : "all on one of three",
    one.toFixed(2),
    three.toFixed(2),
    of((result) => result.ratio).toFixed(2),
    results.map(({ ratio }) => ratio.toFixed(2)).join(", "),
    scenario.goal ?? "",
    of((result) => result.bareOne.servers).toFixed(2),
    of((result) => result.bareRatio).toFixed(2),
    of((result) => result.one.together).toFixed(2),
    of((result) => result.three.together).toFixed(2),
    of((result) => result.three.redis).toFixed(2),
    scenario.random ? "" : of((result) => result.one.delay).toFixed(1),
    scenario.random ? "" : of((result) => result.three.delay).toFixed(1),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
await redis.stop();

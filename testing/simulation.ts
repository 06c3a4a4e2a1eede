/** Plays random histories of several participants on one board, over a lossy network, and checks the properties that each must have. */

import type { Json, ObjectId } from "../board/drawing.ts";
import { canonicalJson } from "../board/json.ts";
import { isIn, readRow, type Claim } from "./sync/claims.ts";
import {
  BrokenPromise,
  createHonestStrokes,
  helpVisit,
  type HonestStrokes,
} from "./sync/honest-strokes.ts";
import { createHostile, createPlainClient, type Intruder } from "./hostile/intruders.ts";
import { fillRow } from "./sync/large-row.ts";
import { PERFECT } from "./network/network.ts";
import { anyObject, editOf } from "./objects/objects.ts";
import {
  createDevice,
  createTestBed,
  stroke,
  type Device,
  type TestBed,
  type Visit,
} from "./sync/test-bed.ts";

export interface SimulationOptions {
  readonly seed: number;
  readonly participants?: number;
  readonly steps?: number;
  /** Whether a hostile visitor and two plain clients are at the board as well. */
  readonly intruders?: boolean;
  /** Whether the board is so large that those who draw save in rotation. */
  readonly large?: boolean;
}

interface Participant {
  readonly device: Device;
  visit: Visit | null;
  visits: number;
  claims: Claim[];
  /** The number of changes that this visit made. */
  edits: number;
  /** The number of changes that it found in its device's journal. */
  found: number;
}

interface Run {
  readonly bed: TestBed;
  readonly participants: Participant[];
  /** The objects that were drawn. */
  readonly drawn: Set<ObjectId>;
  /** The objects that somebody removed at some time. */
  readonly removed: Set<ObjectId>;
  step: string;
  readonly seed: number;
  readonly intruders: readonly Intruder[];
  readonly strokes: HonestStrokes;
}

/** Plays one history. @throws BrokenPromise when a promise is broken on the way or at the end. */
export async function simulate({
  seed,
  participants: count = 5,
  steps = 40,
  intruders = false,
  large = false,
}: SimulationOptions): Promise<void> {
  const bed = createTestBed(seed);
  const { random, clock, network } = bed;
  bed.backend.hasRowEvents = seed % 2 === 0;
  if (large) fillRow(bed, 1_200_000);
  const participants = Array.from({ length: count }, (_, index): Participant => ({
    device: createDevice(`device ${index}`),
    visit: null,
    visits: 0,
    claims: [],
    edits: 0,
    found: 0,
  }));
  const run: Run = {
    bed,
    participants,
    drawn: new Set(),
    removed: new Set(),
    step: "start",
    seed,
    intruders: intruders
      ? [createHostile(bed), createPlainClient(bed, "plain-1"), createPlainClient(bed, "plain-2")]
      : [],
    strokes: createHonestStrokes(bed),
  };
  network.conditions = random.boolean(0.2)
    ? PERFECT
    : {
        drop: random.next() * 0.3,
        double: random.next() * 0.2,
        minDelay: 1,
        maxDelay: 1 + random.next() * 1500,
      };
  for (const one of participants.slice(0, random.integer(1, count))) enter(run, one);
  for (let step = 0; step < steps; step += 1) {
    const participant = random.pick(participants);
    const [name, act] = random.pick(large ? LARGE_ACTS : ACTS);
    run.step = `${step} ${participant.device.name} ${name}`;
    participant.edits += 1;
    if (intruders && random.boolean(0.4)) random.pick(run.intruders).act();
    else if (participant.visit) take(run, participant, participant.visit, act);
    else if (random.boolean(0.5)) enter(run, participant);
    check(run);
    await clock.advance(random.boolean(0.7) ? random.integer(0, 900) : random.integer(0, 30_000));
    check(run);
  }
  await settle(run);
}

function take(run: Run, participant: Participant, visit: Visit, act: Act): void {
  if (run.intruders.length === 0) return act(run, participant, visit);
  run.strokes.act(visit, () => act(run, participant, visit));
}

type Act = (run: Run, participant: Participant, visit: Visit) => void;

const add: Act = ({ bed: { random }, drawn, strokes }, participant, visit) => {
  const { client } = visit;
  const path = `M0 0q5 5 10 ${drawn.size}.5`;
  const position = stroke(random.integer(0, 900), random.integer(0, 700));
  // Every third object is of another kind.
  const other = drawn.size % 3 === 2 ? anyObject(drawn.size) : null;
  const added = client.editor.add([other ?? { ...position, path }]);
  if (added.length > 0 && !other) strokes.add(path, visit);
  const ids = added.map(({ id }) => id);
  for (const id of ids) drawn.add(id);
  claim(participant, ids);
};

const change: Act = ({ bed: { random }, drawn }, participant, { client }) => {
  const objects = client.objects();
  if (objects.length === 0) return;
  const before = random.pick(objects);
  const { id } = before;
  const stroke = random.pick(["#ff0000", "#2ecc71", "#4ecdc4"]);
  const props = random.boolean(0.5) ? { left: random.integer(0, 900) } : { stroke };
  const edited = editOf(before, drawn.size);
  client.editor.change([edited && random.boolean(0.5) ? edited : { id, props }]);
  // The value may have been the same: then nothing was changed.
  if (!client.objects().includes(before)) claim(participant, [id]);
};

const remove: Act = ({ bed, removed }, _participant, { client }) => {
  const objects = client.objects();
  if (objects.length === 0) return;
  const { id } = bed.random.pick(objects);
  removed.add(id);
  client.editor.remove([id]);
};

const clear: Act = ({ removed }, _participant, { client }) => {
  for (const { id } of client.objects()) removed.add(id);
  client.clear();
};

/** Undo may remove what this participant drew, and redo what undo restored. */
const travel =
  (way: "undo" | "redo"): Act =>
  ({ removed }, _participant, { client }) => {
    const before = client.objects().map(({ id }) => id);
    client[way]();
    const after = new Set(client.objects().map(({ id }) => id));
    for (const id of before) if (!after.has(id)) removed.add(id);
  };

const undoClear: Act = (_run, _participant, { notices }) => {
  const notice = notices.at(-1);
  if (notice?.kind === "losses") notice.restore();
  if (notice?.kind === "cleared") notice.undo();
};

const cut: Act = ({ bed }, _participant, { name }) => bed.network.cut(name);
const restore: Act = ({ bed }, _participant, { name }) => bed.network.restore(name);
const kill: Act = (_run, participant, visit) => {
  visit.kill();
  participant.visit = null;
};
const leave: Act = (_run, participant, visit) => {
  visit.page("leaving");
  visit.kill();
  participant.visit = null;
};

const ACTS: readonly (readonly [name: string, act: Act])[] = [
  ...Array.from({ length: 8 }, () => ["add", add] as const),
  ...Array.from({ length: 5 }, () => ["change", change] as const),
  ["remove", remove],
  ["remove", remove],
  ["clear", clear],
  ["undo", travel("undo")],
  ["undo", travel("undo")],
  ["redo", travel("redo")],
  ["undo clear", undoClear],
  ["cut", cut],
  ["restore", restore],
  ["restore", restore],
  ["kill", kill],
  ["leave", leave],
  ["evict", ({ bed }, _participant, { name }) => bed.backend.evict(name)],
  ["hide", (_run, _participant, visit) => visit.page("hidden")],
  ["show", (_run, _participant, visit) => visit.page("visible")],
  [
    "refuse",
    ({ bed: { backend } }) => {
      backend.refuse = backend.refuse ? null : { kind: "refused", message: "not now" };
    },
  ],
];

/** The acts that keep the board large. */
const LARGE_ACTS = ACTS.filter(([name]) => name !== "clear" && name !== "remove");

function enter({ bed }: Run, participant: Participant): void {
  const { device } = participant;
  participant.visits += 1;
  participant.found = device.entries.size;
  participant.visit = bed.visit(`${device.name} visit ${participant.visits}`, device);
  participant.claims = [];
  participant.edits = 0;
}

function claim({ visit, claims }: Participant, ids: readonly ObjectId[]): void {
  const objects = new Map(visit?.client.objects().map((object) => [object.id, object]));
  for (const id of ids) {
    const object = objects.get(id);
    if (object) claims.push({ id, incarnation: object.life ?? 0, stamps: object.stamps });
  }
}

function check(run: Run): void {
  if (run.intruders.length > 0) return checkStrokes(run, "check");
  const row = readRow(run.bed);
  for (const { visit, claims, edits, found } of run.participants) {
    if (!visit) continue;
    const { client, name } = visit;
    const ids = client.objects().map(({ id }) => id);
    if (new Set(ids).size !== ids.length) fail(run, `${name} shows an object twice`);
    const shown = new Set(ids);
    for (const { id } of claims) {
      if (!shown.has(id) && !run.removed.has(id)) fail(run, `${name} lost ${id}`);
    }
    const state = client.saveState.get();
    const missing = claims.filter((one) => !isIn(row, one)).length;
    if (state.state === "saved" && missing > 0) {
      fail(run, `${name} says saved, and the row lacks ${missing} of its changes`);
    }
    if ("changes" in state && state.changes < missing) {
      fail(run, `${name} says ${state.changes} unsaved, and the row lacks ${missing}`);
    }
    if ("changes" in state && state.changes > edits + found) {
      fail(run, `${name} says ${state.changes} unsaved, and made only ${edits}`);
    }
  }
}

/** Settles a run: the network is perfect again, every participant returns, and it is quiet for a while; then all agree with the row. */
async function settle(run: Run): Promise<void> {
  const { bed, participants } = run;
  run.step = "end";
  bed.network.conditions = PERFECT;
  bed.backend.refuse = null;
  for (const participant of participants) {
    if (participant.visit) bed.network.restore(participant.visit.name);
    else enter(run, participant);
  }
  if (run.intruders.length > 0) return settleStrokes(run);
  await bed.clock.advance(240_000);
  check(run);
  const row = readRow(run.bed);
  const saved = canonicalJson((row?.objects ?? []) as readonly Json[]);
  for (const { visit, device } of participants) {
    const name = visit?.name ?? "";
    if (canonicalJson((visit?.client.objects() ?? []) as readonly Json[]) !== saved)
      fail(run, `${name} differs from the row`);
    const state = visit?.client.saveState.get();
    if (state?.state !== "saved") fail(run, `${name} is not saved but ${JSON.stringify(state)}`);
    if (device.entries.size > 0)
      fail(run, `${device.name} still keeps ${device.entries.size} entries`);
  }
  const alive = new Set(row?.objects.map(({ id }) => id));
  for (const id of run.drawn)
    if (!alive.has(id) && !run.removed.has(id)) fail(run, `${id} is lost`);
  for (const { visit } of participants) await visit?.client.dispose();
}

/** Checks the strokes. Beside intruders they are known by their paths, and the history counts as well. */
function checkStrokes(run: Run, which: "check" | "checkEnd"): void {
  const visits = run.participants.flatMap(({ visit }) => visit ?? []);
  try {
    run.strokes[which](visits);
  } catch (broken) {
    fail(run, String(broken));
  }
}

/** Settles the strokes after the intruders have left. */
async function settleStrokes(run: Run): Promise<void> {
  const { bed, participants, intruders } = run;
  for (const intruder of intruders) intruder.leave();
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await bed.clock.advance(30_000);
    check(run);
    for (const { visit } of participants) if (visit) helpVisit(visit);
    // Something that an intruder wrote into the row without a message is noticed by any page that reads it.
    for (const { visit } of participants) visit?.page("visible");
  }
  await bed.clock.advance(180_000);
  check(run);
  checkStrokes(run, "checkEnd");
  for (const { visit } of participants) await visit?.client.dispose();
}

function fail(run: Run, what: string): never {
  throw new BrokenPromise(`seed ${run.seed}, step ${run.step}: ${what}`);
}

/** Random histories of several people on one board, over a network that loses, and what must be true of each. */

import type { Author, BoardObject, Drawing, Group, Json, ObjectId } from "../board/drawing.ts";
import { canonicalJson } from "../board/json.ts";
import { parseDrawing } from "../board/parse.ts";
import { authorOf, seqOf } from "../board/author.ts";
import { lifeSeen, readSeen } from "../board/seen.ts";
import { FAIR } from "./network.ts";
import { createDevice, createPlace, stroke, type Device, type Place, type Visit } from "./rooms.ts";

export interface SimulationOptions {
  readonly seed: number;
  readonly people?: number;
  readonly steps?: number;
}

/** What one person's page was seen to draw: the proof that the saved row has to bear. */
interface Claim {
  readonly id: ObjectId;
  readonly life: number;
  readonly stamps: BoardObject["stamps"];
}

interface Seat {
  readonly device: Device;
  visit: Visit | null;
  visits: number;
  claims: Claim[];
  /** Changes that this visit made, and those that it found on its device. */
  edits: number;
  kept: number;
}

/** The simulated history did not keep a promise; the message names the seed and the step. */
export class BrokenPromise extends Error {}

interface Run {
  readonly place: Place;
  readonly seats: Seat[];
  /** Every object that anybody drew, and those that somebody took away again. */
  readonly drawn: Set<ObjectId>;
  readonly removed: Set<ObjectId>;
  step: string;
  readonly seed: number;
}

/** Plays one history. @throws BrokenPromise when a promise is broken on the way or at the end. */
export async function simulate({ seed, people = 5, steps = 40 }: SimulationOptions): Promise<void> {
  const place = createPlace(seed);
  const run: Run = { place, seats: [], drawn: new Set(), removed: new Set(), step: "start", seed };
  for (let seat = 0; seat < people; seat += 1) {
    run.seats.push({
      device: createDevice(`device ${seat}`),
      visit: null,
      visits: 0,
      claims: [],
      edits: 0,
      kept: 0,
    });
  }
  const { dice, clock } = place;
  place.network.weather = dice.chance(0.2)
    ? FAIR
    : {
        drop: dice.next() * 0.3,
        double: dice.next() * 0.2,
        minDelay: 1,
        maxDelay: 1 + dice.next() * 1500,
      };
  for (const seat of run.seats.slice(0, dice.integer(1, people))) enter(run, seat);
  for (let count = 0; count < steps; count += 1) {
    const seat = dice.pick(run.seats);
    const [name, act] = dice.pick(ACTS);
    run.step = `${count} ${seat.device.name} ${name}`;
    seat.edits += 1;
    if (seat.visit) act(run, seat, seat.visit);
    else if (dice.chance(0.5)) enter(run, seat);
    check(run);
    await clock.advance(dice.chance(0.7) ? dice.integer(0, 900) : dice.integer(0, 30_000));
    check(run);
  }
  await settle(run);
}

type Act = (run: Run, seat: Seat, visit: Visit) => void;

const add: Act = (run, seat, { room }) => {
  const added = room.editor.add([
    stroke(run.place.dice.integer(0, 900), run.place.dice.integer(0, 700)),
  ]);
  for (const { id } of added) run.drawn.add(id);
  claim(
    seat,
    added.map(({ id }) => id),
  );
};

const change: Act = (run, seat, { room }) => {
  const objects = room.objects();
  if (objects.length === 0) return;
  const before = run.place.dice.pick(objects);
  const { id } = before;
  const props = run.place.dice.chance(0.5)
    ? { left: run.place.dice.integer(0, 900) }
    : { stroke: run.place.dice.pick(["#ff0000", "#2ecc71", "#4ecdc4"]) };
  room.editor.change([{ id, props }]);
  // The value may have been the same: then this person did nothing.
  if (!room.objects().includes(before)) claim(seat, [id]);
};

const remove: Act = (run, _seat, { room }) => {
  const objects = room.objects();
  if (objects.length === 0) return;
  const { id } = run.place.dice.pick(objects);
  run.removed.add(id);
  room.editor.remove([id]);
};

const clear: Act = (run, _seat, { room }) => {
  for (const { id } of room.objects()) run.removed.add(id);
  room.clear();
};

/** Undo may remove what this person drew, and redo what they brought back. */
const travel =
  (way: "undo" | "redo"): Act =>
  (run, _seat, { room }) => {
    const before = room.objects().map(({ id }) => id);
    room[way]();
    const after = new Set(room.objects().map(({ id }) => id));
    for (const id of before) if (!after.has(id)) run.removed.add(id);
  };

const restore: Act = (_run, _seat, { notices }) => {
  const notice = notices.at(-1);
  if (notice?.kind === "cleared-by-other") notice.restore();
  if (notice?.kind === "cleared") notice.undo();
};

const cut: Act = ({ place }, _seat, { name }) => place.network.cut(name);
const mend: Act = ({ place }, _seat, { name }) => place.network.mend(name);
const kill: Act = (_run, seat, visit) => {
  visit.kill();
  seat.visit = null;
};
const leave: Act = (_run, seat, visit) => {
  visit.page("leaving");
  visit.kill();
  seat.visit = null;
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
  ["restore", restore],
  ["cut", cut],
  ["mend", mend],
  ["mend", mend],
  ["kill", kill],
  ["leave", leave],
  ["evict", ({ place }, _seat, { name }) => place.backend.evict(name)],
  ["hide", (_run, _seat, visit) => visit.page("hidden")],
  ["show", (_run, _seat, visit) => visit.page("visible")],
  [
    "refuse",
    ({ place }) => {
      place.backend.refuse = place.backend.refuse ? null : { kind: "refused", message: "not now" };
    },
  ],
];

function enter(run: Run, seat: Seat): void {
  seat.visits += 1;
  seat.kept = seat.device.entries.size;
  seat.visit = run.place.visit(`${seat.device.name} visit ${seat.visits}`, seat.device);
  seat.claims = [];
  seat.edits = 0;
}

function claim(seat: Seat, ids: readonly ObjectId[]): void {
  const objects = new Map(seat.visit?.room.objects().map((object) => [object.id, object]));
  for (const id of ids) {
    const object = objects.get(id);
    if (object) seat.claims.push({ id, life: object.life ?? 0, stamps: object.stamps });
  }
}

function check(run: Run): void {
  const row = readRow(run);
  for (const seat of run.seats) {
    if (!seat.visit) continue;
    const { room, name } = seat.visit;
    const ids = room.objects().map(({ id }) => id);
    if (new Set(ids).size !== ids.length) fail(run, `${name} shows an object twice`);
    const shown = new Set(ids);
    for (const { id } of seat.claims) {
      if (!shown.has(id) && !run.removed.has(id)) fail(run, `${name} lost ${id}`);
    }
    const state = room.saveState.get();
    const missing = seat.claims.filter((one) => !isIn(row, one)).length;
    if (state.state === "saved" && missing > 0) {
      fail(run, `${name} says saved, and the row does not hold ${missing} of its changes`);
    }
    if ("changes" in state && state.changes < missing) {
      fail(run, `${name} says ${state.changes} unsaved, and the row does not hold ${missing}`);
    }
    if ("changes" in state && state.changes > seat.edits + seat.kept) {
      fail(run, `${name} says ${state.changes} unsaved, and made only ${seat.edits}`);
    }
  }
}

/** All networks mend, everybody comes back, and it is quiet for a while: then all agree with the row. */
async function settle(run: Run): Promise<void> {
  const { place, seats } = run;
  run.step = "end";
  place.network.weather = FAIR;
  place.backend.refuse = null;
  for (const seat of seats) {
    if (seat.visit) place.network.mend(seat.visit.name);
    else enter(run, seat);
  }
  await place.clock.advance(240_000);
  check(run);
  const row = readRow(run);
  const saved = canonicalJson((row?.objects ?? []) as readonly Json[]);
  for (const { visit, device } of seats) {
    const name = visit?.name ?? "";
    if (canonicalJson((visit?.room.objects() ?? []) as readonly Json[]) !== saved)
      fail(run, `${name} differs from the row`);
    const state = visit?.room.saveState.get();
    if (state?.state !== "saved") fail(run, `${name} is not saved but ${JSON.stringify(state)}`);
    if (device.entries.size > 0)
      fail(run, `${device.name} still keeps ${device.entries.size} entries`);
  }
  const alive = new Set(row?.objects.map(({ id }) => id));
  for (const id of run.drawn)
    if (!alive.has(id) && !run.removed.has(id)) fail(run, `${id} is lost`);
  for (const { visit } of seats) await visit?.room.dispose();
}

function readRow({ place }: Run): Drawing | null {
  if (!place.backend.row) return null;
  const parsed = parseDrawing(place.backend.row.text);
  if (!parsed.ok) throw new BrokenPromise(parsed.reason);
  return parsed.drawing;
}

/** The row holds the object with these versions or greater ones, or knows that it was removed. */
function isIn(row: Drawing | null, { id, life, stamps }: Claim): boolean {
  if (!row) return false;
  const object = row.objects.find((candidate) => candidate.id === id);
  if (!object) return lifeSeen(readSeen(row.inkpool.seen), authorOf(id), seqOf(id)) >= life;
  if ((object.life ?? 0) !== life) return (object.life ?? 0) > life;
  const groups = Object.keys(stamps ?? {}) as Group[];
  return groups.every((group) => {
    const [version, author] = object.stamps?.[group] ?? [0, "" as Author];
    const [claimed, claimer] = stamps?.[group] ?? [0, "" as Author];
    return version > claimed || (version === claimed && author >= claimer);
  });
}

function fail(run: Run, what: string): never {
  throw new BrokenPromise(`seed ${run.seed}, step ${run.step}: ${what}`);
}

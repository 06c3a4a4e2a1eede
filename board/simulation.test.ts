import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeAuthor } from "./author.ts";
import { createBoard, digest, getObject, stackedObjects, type Board } from "./board.ts";
import type { Author, Drawing, Json, NewObject, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import { toDrawing, toPartial } from "./encode.ts";
import { createUndoStack, makeEntry, record, redoStep, undoStep } from "./undo.ts";
import { canonicalJson } from "./json.ts";
import { merge, mergeInto } from "./merge.ts";
import { parseDrawing } from "./parse.ts";

/** The seed, which is fixed so that a failure is the same for everybody. */
const SEED = 20_261_121;

type Action = "add" | "move" | "paint" | "raise" | "remove" | "clear" | "restore" | "undo" | "redo";

interface Step {
  readonly replica: number;
  readonly action: Action | "sendWhole" | "deliver";
  /** A number that selects the object, or the message. */
  readonly choice: number;
  readonly value: number;
  /** Whether a delivered message stays in the network, to arrive once more. */
  readonly twice: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  replica: fc.nat(4),
  action: fc.oneof(
    { weight: 4, arbitrary: fc.constant("add" as const) },
    { weight: 6, arbitrary: fc.constantFrom("move" as const, "paint", "raise") },
    { weight: 3, arbitrary: fc.constantFrom("remove" as const, "clear", "restore") },
    { weight: 2, arbitrary: fc.constantFrom("undo" as const, "redo") },
    { weight: 1, arbitrary: fc.constant("sendWhole" as const) },
    { weight: 8, arbitrary: fc.constant("deliver" as const) },
  ),
  choice: fc.nat(1000),
  value: fc.nat(50),
  twice: fc.boolean(),
});

const history = fc.record({
  replicas: fc.integer({ min: 2, max: 5 }),
  steps: fc.array(step, { minLength: 5, maxLength: 60 }),
});

interface Replica {
  readonly author: Author;
  readonly board: Board;
  readonly undo: ReturnType<typeof createUndoStack>;
  /** Every object that was ever here, for restoring what was removed long ago. */
  readonly known: Map<ObjectId, ReturnType<typeof getObject> & object>;
}

interface Run {
  readonly replicas: readonly Replica[];
  readonly messages: { readonly to: number; readonly text: string }[];
  /** Every drawing that was sent, on which the laws are tried. */
  readonly sent: Drawing[];
}

function through(text: string): Drawing {
  const parsed = parseDrawing(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  expect(parsed.faults).toEqual([]);
  return parsed.drawing;
}

function play(input: { readonly replicas: number; readonly steps: readonly Step[] }): Run {
  const replicas = Array.from({ length: input.replicas }, (_, index): Replica => {
    const author = makeAuthor(2500, `replica${index}`);
    return { author, board: createBoard(), undo: createUndoStack(), known: new Map() };
  });
  const run: Run = { replicas, messages: [], sent: [] };
  for (const { replica, ...rest } of input.steps) act(run, replica % replicas.length, rest);
  return run;
}

function act(run: Run, index: number, step: Omit<Step, "replica">): void {
  const replica = run.replicas[index] as Replica;
  const { board } = replica;
  if (step.action === "deliver") {
    const at = step.choice % Math.max(1, run.messages.length);
    const message = run.messages[at];
    if (message === undefined) return;
    if (!step.twice) run.messages.splice(at, 1);
    mergeInto((run.replicas[message.to] as Replica).board, through(message.text));
    return;
  }
  const touched = step.action === "sendWhole" ? [] : edit(replica, step.action, step);
  const drawing = step.action === "sendWhole" ? toDrawing(board) : toPartial(board, touched);
  for (const object of stackedObjects(board)) replica.known.set(object.id, object);
  run.sent.push(drawing);
  const text = JSON.stringify(drawing);
  run.replicas.forEach((_, to) => {
    // The number also loses some messages; the whole drawings at the end compensate for that.
    if (to !== index && (step.choice + to) % 4 !== 0) run.messages.push({ to, text });
  });
}

function edit(replica: Replica, action: Action, step: Omit<Step, "replica">): ObjectId[] {
  const { board, author, undo } = replica;
  const stack = stackedObjects(board);
  const target = stack[step.choice % Math.max(1, stack.length)];
  const known = [...replica.known.values()];
  const former = known[step.choice % Math.max(1, known.length)];
  const props = { move: { left: step.value, top: 3 }, paint: { fill: `#00${step.value + 10}ff` } };
  const before = target === undefined ? [] : [target];
  const made = (() => {
    switch (action) {
      case "add":
        return addObjects(board, author, [{ type: "Rect", left: step.value, width: 5, height: 5 }]);
      case "move":
      case "paint":
        return target && changeObjects(board, author, [{ id: target.id, props: props[action] }]);
      case "raise":
        return (
          target && changeObjects(board, author, [{ id: target.id, props: { z: step.value } }])
        );
      case "remove":
        return target && removeObjects(board, [target.id]);
      case "clear":
        return removeObjects(
          board,
          stack.map((object) => object.id),
        );
      case "restore":
        return former && restoreObjects(board, author, [former]);
      case "undo":
        return undoStep(undo, board, author)?.changes;
      case "redo":
        return redoStep(undo, board, author)?.changes;
    }
  })();
  if (made === undefined) return [];
  if (action !== "undo" && action !== "redo") {
    const removed = new Set(made.removed);
    const edited = before.filter((object) => made.changed.some((other) => other.id === object.id));
    record(undo, makeEntry([...edited, ...removed], [...made.added, ...made.changed]));
  }
  return [...made.added, ...made.changed, ...made.removed].map((object) => object.id);
}

const empty = toDrawing(createBoard());

describe("random histories", () => {
  test("MRG-1 merge is commutative, associative and idempotent over what replicas send", () => {
    fc.assert(
      fc.property(history, fc.nat(1000), fc.nat(1000), fc.nat(1000), (input, i, j, k) => {
        const { sent, replicas } = play(input);
        const drawings = [...sent, ...replicas.map(({ board }) => toDrawing(board))];
        const pick = (index: number): Drawing => drawings[index % drawings.length] as Drawing;
        const [a, b, c] = [pick(i), pick(j), pick(k)];
        expect(merge(a, b)).toEqual(merge(b, a));
        expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)));
        expect(merge(a, a)).toEqual(a);
        expect(merge(a, merge(a, b))).toEqual(merge(a, b));
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test("MRG-1 replicas that get every change, doubled, late and in any order, end up equal", () => {
    fc.assert(
      fc.property(history, (input) => {
        const { replicas, messages } = play(input);
        for (const { to, text } of messages)
          mergeInto((replicas[to] as Replica).board, through(text));
        const boards = replicas.map(({ board }) => board);
        const everything = boards.map(toDrawing).reduce(merge);
        for (const board of boards) mergeInto(board, everything);
        for (const board of boards) {
          expect(toDrawing(board)).toEqual(everything);
          expect(digest(board)).toBe(digest(boards[0] as Board));
          expect([...stackedObjects(board)]).toEqual(everything.objects);
        }
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test("MRG-11 digests are equal if and only if the objects are equal", () => {
    fc.assert(
      fc.property(history, (input) => {
        const { replicas } = play(input);
        for (const { board: a } of replicas) {
          for (const { board: b } of replicas) {
            const same = sorted(a) === sorted(b);
            expect(digest(a) === digest(b)).toBe(same);
          }
        }
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  test("MRG-1 the incrementally kept board equals the one read afresh from its own drawing", () => {
    fc.assert(
      fc.property(history, (input) => {
        for (const { board } of play(input).replicas) {
          const fresh = createBoard();
          mergeInto(fresh, through(JSON.stringify(toDrawing(board))));
          expect(toDrawing(fresh)).toEqual(toDrawing(board));
          expect(digest(fresh)).toBe(digest(board));
        }
      }),
      { seed: SEED + 1, numRuns: 200 },
    );
  });
});

/** Hostile numbers: few ids and authors, so that the drawings overlap; absurd versions, incarnations, runs and positions. */
const count = fc.oneof(fc.nat(3), fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 30, -1, 0.5, 1e300));
const author = fc.constantFrom("abc", "abd", "f00", "zzz", "__proto__", "constructor");
const stamp = fc.tuple(count, author);
const hostileObject = fc.record(
  {
    type: fc.constantFrom("Rect", "Circle", "Image", "Path"),
    id: fc.tuple(author, fc.oneof(fc.nat(3), count)).map(([name, seq]) => `${name}-${seq}`),
    life: count,
    z: fc.oneof(fc.nat(4), fc.constantFrom(2 ** 40, 2 ** 39 + 1, -(2 ** 40), 1e308, null, "9")),
    stamps: fc.record(
      { place: stamp, look: stamp, content: stamp, order: stamp },
      { requiredKeys: [] },
    ),
    left: fc.oneof(fc.nat(3), fc.constantFrom(1e7, 1e8, null)),
    fill: fc.constantFrom("red", "#00ff00", "url(x)", null),
    path: fc.constantFrom("M0 0l1 1", "M0", "<svg>"),
    radius: fc.oneof(fc.nat(3), fc.constantFrom(-1)),
  },
  { requiredKeys: ["type", "id"] },
);
const runs = fc.oneof(
  count,
  fc.array(count, { maxLength: 6 }),
  fc.array(fc.array(fc.oneof(fc.nat(4), count), { maxLength: 4 }), { maxLength: 4 }),
);
const hostileDrawing = fc
  .record({
    objects: fc.array(hostileObject, { maxLength: 8 }),
    background: fc.constantFrom("white", "red", "blue", 7),
    inkpool: fc.record({
      format: fc.constant(1),
      seen: fc.dictionary(author, runs, { maxKeys: 4 }),
      stamp: fc.tuple(fc.oneof(fc.nat(2), fc.constantFrom(2 ** 31 - 1)), author),
    }),
  })
  .map((input) => {
    const parsed = parseDrawing(JSON.parse(JSON.stringify(input)));
    if (!parsed.ok) throw new Error(parsed.reason);
    return parsed.drawing;
  });

describe("hostile drawings", () => {
  test("MRG-1 the laws hold for drawings with absurd numbers as well", () => {
    fc.assert(
      fc.property(hostileDrawing, hostileDrawing, hostileDrawing, (a, b, c) => {
        expect(merge(a, b)).toEqual(merge(b, a));
        expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)));
        expect(merge(a, a)).toEqual(merge(a, empty));
        expect(merge(merge(a, b), a)).toEqual(merge(a, b));
      }),
      { seed: SEED, numRuns: 3000 },
    );
  });

  test("MRG-9 after a hostile drawing a new object can be added, changed, removed and restored", () => {
    const object: NewObject = { type: "Rect", width: 5, height: 5 };
    fc.assert(
      fc.property(hostileDrawing, hostileDrawing, author, (a, b, name) => {
        fc.pre(/^[a-z0-9]+$/.test(name));
        const board = createBoard();
        const mine = name as Author;
        mergeInto(board, a);
        mergeInto(board, b);
        const { added } = addObjects(board, mine, [object]);
        const id = (added[0] as { id: ObjectId }).id;
        expect(stackedObjects(board).at(-1)?.id).toBe(id);
        const other = createBoard();
        mergeInto(other, through(JSON.stringify(toDrawing(board))));
        expect(getObject(other, id)).toBeDefined();
        for (const { id: each } of stackedObjects(board).slice()) {
          const { changed, added: renewed } = changeObjects(board, mine, [
            { id: each, props: { left: 77 } },
          ]);
          expect(changed.length + renewed.length).toBeLessThanOrEqual(1);
          const partial = toPartial(board, [each, ...renewed.map((one) => one.id)]);
          mergeInto(other, through(JSON.stringify(partial)));
        }
        expect(toDrawing(other)).toEqual(toDrawing(board));
        expect(stackedObjects(other).every(({ left }) => left === 77)).toBe(true);
        const gone = removeObjects(
          board,
          stackedObjects(board).map((each) => each.id),
        ).removed;
        const back = restoreObjects(board, mine, gone).added;
        expect(back.length).toBe(gone.length);
        mergeInto(other, through(JSON.stringify(toDrawing(board))));
        expect(toDrawing(other).objects).toEqual(toDrawing(board).objects);
      }),
      { seed: SEED, numRuns: 1000 },
    );
  });
});

function sorted(board: Board): string {
  const objects = [...stackedObjects(board)].sort((a, b) => (a.id < b.id ? -1 : 1));
  return canonicalJson(objects as unknown as Json);
}

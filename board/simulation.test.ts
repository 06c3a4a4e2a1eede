import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyObject, editOf } from "../testing/objects/objects.ts";
import { makeAuthor } from "./author.ts";
import { withoutSource, withSources } from "./bare-pictures.ts";
import { createBoard, digest, getObject, stackedObjects, type Board } from "./board.ts";
import type { Author, Drawing, Json, NewObject, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import { toDrawing, toPartial } from "./encode.ts";
import { createUndoStack, makeEntry, record, redoStep, undoStep } from "./undo.ts";
import { canonicalJson } from "./json.ts";
import { merge, mergeInto } from "./merge.ts";
import { parseDrawing } from "./parse.ts";

/** Fixed, so that a failure is the same for everybody. */
const SEED = 20_261_121;

type Action =
  | "add"
  | "move"
  | "paint"
  | "raise"
  | "edit"
  | "remove"
  | "clear"
  | "restore"
  | "undo"
  | "redo";

interface Step {
  readonly replica: number;
  readonly action: Action | "sendWhole" | "deliver";
  /** Chooses the object, or the message. */
  readonly choice: number;
  readonly value: number;
  /** Whether a delivered message stays in the network, to come once more. */
  readonly twice: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  replica: fc.nat(4),
  action: fc.oneof(
    { weight: 4, arbitrary: fc.constant("add" as const) },
    { weight: 6, arbitrary: fc.constantFrom("move" as const, "paint", "raise", "edit") },
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
  /** Everything that was ever here, for restores of things that are long gone. */
  readonly known: Map<ObjectId, ReturnType<typeof getObject> & object>;
}

interface Run {
  readonly replicas: readonly Replica[];
  readonly messages: { readonly to: number; readonly text: string }[];
  /** Every drawing that was sent: the states to try the laws on. */
  readonly sent: Drawing[];
  /** The ids of all objects that were added, and of those that somebody removed at some time. */
  readonly added: Set<ObjectId>;
  readonly removed: Set<ObjectId>;
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
  const run: Run = { replicas, messages: [], sent: [], added: new Set(), removed: new Set() };
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
    receive((run.replicas[message.to] as Replica).board, message.text);
    return;
  }
  const touched = step.action === "sendWhole" ? [] : edit(run, replica, step.action, step);
  const drawing = step.action === "sendWhole" ? toDrawing(board) : toPartial(board, touched);
  for (const object of stackedObjects(board)) replica.known.set(object.id, object);
  run.sent.push(drawing);
  // The source of a picture travels once.
  const isNew = !["move", "paint", "raise"].includes(step.action);
  const text = JSON.stringify(isNew ? drawing : toPartial(board, touched, withoutSource));
  run.replicas.forEach((_, to) => {
    // Choice also loses some messages: the whole drawings at the end make up for it.
    if (to !== index && (step.choice + to) % 4 !== 0) run.messages.push({ to, text });
  });
}

/** Merges a message, as a page that completes the pictures whose source it lacks. */
function receive(board: Board, text: string): void {
  mergeInto(board, withSources(board, through(text)));
}

function edit(run: Run, replica: Replica, action: Action, step: Omit<Step, "replica">): ObjectId[] {
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
        return addObjects(board, author, [anyObject(step.choice)]);
      case "move":
      case "paint":
        return target && changeObjects(board, author, [{ id: target.id, props: props[action] }]);
      case "edit": {
        const change = target && editOf(target, step.value);
        return change && changeObjects(board, author, [change]);
      }
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
  for (const { id } of made.added) run.added.add(id);
  for (const { id } of made.removed) run.removed.add(id);
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
        for (const { to, text } of messages) receive((replicas[to] as Replica).board, text);
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

  test("MRG-1 nothing is lost that nobody removed: it is there after any merge, each picture with its source", () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(history, (input) => {
        const { replicas, messages, added, removed } = play(input);
        for (const { to, text } of messages) receive((replicas[to] as Replica).board, text);
        const drawings = replicas.map(({ board }) => toDrawing(board));
        const { objects } = drawings.reduce(merge);
        const ids = new Set(objects.map(({ id }) => id));
        for (const id of added) if (!removed.has(id)) expect(ids.has(id), id).toBe(true);
        for (const object of objects) {
          kinds.add(object.type);
          if (object.type === "Image") expect(object["src"]).toMatch(/^data:image\/png;base64,/);
        }
        // Whoever begins anew with what was saved has the same.
        expect(through(JSON.stringify(drawings.reduceRight(merge))).objects).toEqual(objects);
      }),
      { seed: SEED + 2, numRuns: 200 },
    );
    expect([...kinds].sort()).toEqual(["Circle", "IText", "Image", "Path", "Rect"]);
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

/** Hostile numbers: few ids and authors, so that the drawings meet; absurd versions, incarnations, runs and places. */
const count = fc.oneof(fc.nat(3), fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 30, -1, 0.5, 1e300));
const author = fc.constantFrom("abc", "abd", "f00", "zzz", "__proto__", "constructor");
const stamp = fc.tuple(count, author);
const hostileObject = fc.record(
  {
    type: fc.constantFrom("Rect", "Circle", "Image", "Path", "IText", "Polyline"),
    id: fc.tuple(author, fc.oneof(fc.nat(3), count)).map(([name, seq]) => `${name}-${seq}`),
    life: count,
    z: fc.oneof(fc.nat(4), fc.constantFrom(2 ** 40, 2 ** 39 + 1, -(2 ** 40), 1e308, null, "9")),
    stamps: fc.record(
      { place: stamp, look: stamp, content: stamp, order: stamp },
      { requiredKeys: [] },
    ),
    left: fc.oneof(fc.nat(3), fc.constantFrom(1e7, 1e8, null)),
    fill: fc.constantFrom("red", "#00ff00", "url(x)", null),
    path: fc.constantFrom(
      ...["M0 0l1 1", "M0", "<svg>", "M0 0l1e7 0-9 9 9-9-9-9", `M0 0${"l1 1".repeat(60)}`],
      ...[
        "M0 0L1e9 0",
        "M0 0q1 1 2 2t3 3z",
        [
          ["M", 0, 0],
          ["L", 5, 5],
        ],
        [["M", "a"]],
        null,
      ],
    ),
    radius: fc.oneof(fc.nat(3), fc.constantFrom(-1)),
    text: fc.oneof(
      { weight: 60, arbitrary: fc.constantFrom("", "Word", 7) },
      // Longer than a text may be.
      { weight: 1, arbitrary: fc.constant("Word".repeat(3000)) },
    ),
    points: fc.constantFrom(
      [
        { x: 0, y: 0 },
        { x: 9, y: 9 },
      ],
      [{ x: "0" }],
      [],
      7,
    ),
    // A picture without a source is one that its receiver has; any other source than a picture's is refused.
    src: fc.constantFrom(
      ...["data:image/png;base64,iVBORw0KGgo=", "data:image/gif;base64,R0lGODlhAQAB"],
      ...["data:image/svg+xml;base64,PHN2Zz4=", "https://example.org/x.png", null],
    ),
    width: fc.oneof(fc.nat(9), fc.constantFrom(5000, -1, "9")),
    height: fc.oneof(fc.nat(9), fc.constantFrom(5000, null)),
    eraser: fc.constantFrom(true, false, "yes"),
    opacity: fc.constantFrom(0.4, 1, -1, 7),
    globalCompositeOperation: fc.constantFrom("multiply", "copy", "url(x)"),
    stroke: fc.constantFrom("red", "#0f0", null, 7),
    strokeWidth: fc.oneof(fc.nat(20), fc.constantFrom(1e9, -1)),
    flipX: fc.boolean(),
    angle: fc.constantFrom(0, 30, 1e9, null),
    scaleX: fc.constantFrom(0, 2, -1, 1e9),
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
      { seed: SEED, numRuns: 2000 },
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

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyObject, editOf } from "../testing/objects/objects.ts";
import { makeAuthor } from "./author.ts";
import { withoutSource, withSources } from "./bare-pictures.ts";
import { createBoard, digest, type getObject, stackedObjects, type Board } from "./board.ts";
import type { Author, Drawing, Json, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import { toDrawing, toPartial } from "./encode.ts";
import { createUndoStack, makeEntry, record, redoStep, undoStep } from "./undo.ts";
import { canonicalJson } from "./json.ts";
import { merge, mergeInto } from "./merge.ts";
import { parseDrawing } from "./parse.ts";

/** The seed, which is fixed so that a failure is the same for everybody. */
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
  /** Every object that was ever here, for restoring what was removed long ago. */
  readonly known: Map<ObjectId, ReturnType<typeof getObject> & object>;
}

interface Run {
  readonly replicas: readonly Replica[];
  readonly messages: { readonly to: number; readonly text: string }[];
  /** Every drawing that was sent, on which the laws are tried. */
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
    // The number also loses some messages; the whole drawings at the end compensate for that.
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

describe("random histories", () => {
  test("MRG-1 merge is commutative, associative and idempotent over the drawings of replicas", () => {
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

function sorted(board: Board): string {
  const objects = [...stackedObjects(board)].sort((a, b) => (a.id < b.id ? -1 : 1));
  return canonicalJson(objects as unknown as Json);
}

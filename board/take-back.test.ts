import fc from "fast-check";
import { describe, expect, test } from "vitest";
import "../testing/random/fast-check.ts";
import { createRandom } from "../testing/random/random.ts";
import { makeAuthor } from "./author.ts";
import { createBoard, getObject, type Board } from "./board.ts";
import { createChangeLog, logChanges, OTHER_PROGRAM, type ChangeLog } from "./change-log.ts";
import type { Author, BoardChanges, BoardObject, Json, ObjectId } from "./drawing.ts";
import {
  addObjects,
  changeBackground,
  changeObjects,
  removeObjects,
  restoreObjects,
} from "./edit.ts";
import { toDrawing } from "./encode.ts";
import { addSaved, createSavedStates, type SavedStates } from "./saved-states.ts";
import { keyOfAuthor } from "./peer-key.ts";
import {
  candidates,
  decide,
  earlierBackground,
  takeBack,
  type Doubt,
  type Evidence,
} from "./take-back.ts";

const [vandal, ann, bob] = ["vandal", "ann", "bob"].map((name) => makeAuthor(2500, name)) as [
  Author,
  Author,
  Author,
];
const host = makeAuthor(2500, "host");
const VANDAL = new Set([keyOfAuthor(vandal)]);
const NONE: ReadonlySet<Doubt> = new Set();
const rect = { type: "Rect", width: 10, height: 10 } as const;

/** One board that several people change in turn, and what a page sees of it. */
function createScene() {
  const board = createBoard();
  const log = createChangeLog(0);
  let now = 1_000;
  const see = (author: Author, changes: BoardChanges): BoardChanges => {
    now += 1_000;
    logChanges(log, changes, { at: now, by: keyOfAuthor(author) });
    return changes;
  };
  return {
    board,
    log,
    get now() {
      return now;
    },
    add: (author: Author, props: Record<string, Json> = {}): ObjectId =>
      (see(author, addObjects(board, author, [{ ...rect, ...props }])).added[0] as BoardObject).id,
    change(author: Author, id: ObjectId, props: Record<string, Json>): void {
      const before = [board.objects.get(id) ?? []].flat();
      see(author, { ...changeObjects(board, author, [{ id, props }]), before });
    },
    remove: (author: Author, id: ObjectId): readonly BoardObject[] =>
      see(author, removeObjects(board, [id])).removed,
    restore: (author: Author, objects: readonly BoardObject[]): void =>
      void see(author, restoreObjects(board, author, objects)),
    /** Saves the board as a version that lasts until `until`. */
    save(saved: SavedStates, until = now + 60_000): void {
      for (const _ of addSaved(saved, toDrawing(board), { at: now, until }));
    },
  };
}

const ALL = Number.NEGATIVE_INFINITY;

function run(board: Board, evidence: Evidence, includes: ReadonlySet<Doubt> = NONE): void {
  const ids = [...candidates(board, evidence)];
  for (const _ of takeBack(board, host, VANDAL, { evidence, ids, includes, size: 3 }));
}

const idsOf = (board: Board): ObjectId[] => [...board.objects.keys()].sort();

describe("taking back a visitor", () => {
  test("HOST-30 the visitor's additions go, objects they removed or hid return under their own author, and others' changes since stay", () => {
    const scene = createScene();
    const [untouched, hidden, removed, moved] = [1, 2, 3, 4].map((left) =>
      scene.add(ann, { left }),
    );
    const evidence = { saved: createSavedStates(ALL), log: scene.log };
    scene.add(vandal);
    scene.change(vandal, hidden as ObjectId, { opacity: 0, fill: "red" });
    scene.change(vandal, moved as ObjectId, { left: 99_999 });
    scene.change(bob, moved as ObjectId, { left: 44 });
    scene.remove(vandal, removed as ObjectId);
    run(scene.board, evidence);
    expect(idsOf(scene.board)).toEqual([untouched, hidden, removed, moved]);
    expect(getObject(scene.board, hidden as ObjectId)).toMatchObject({ left: 2 });
    expect(getObject(scene.board, hidden as ObjectId)).not.toHaveProperty("opacity");
    expect(getObject(scene.board, removed as ObjectId)).toMatchObject({ left: 3, life: 1 });
    expect(getObject(scene.board, moved as ObjectId)).toMatchObject({ left: 44 });
  });

  test("HOST-30 an object that they hid and then removed returns as it was before both", () => {
    const scene = createScene();
    const id = scene.add(ann, { left: 7 });
    scene.change(vandal, id, { opacity: 0 });
    scene.remove(vandal, id);
    run(scene.board, { saved: createSavedStates(ALL), log: scene.log });
    expect(getObject(scene.board, id)).toMatchObject({ left: 7 });
    expect(getObject(scene.board, id)).not.toHaveProperty("opacity");
    expect(JSON.stringify(getObject(scene.board, id)?.stamps ?? {})).not.toContain("[0,");
  });

  test("HOST-31 the visitor's work before the span stays", () => {
    const scene = createScene();
    const old = scene.add(vandal, { left: 1 });
    const other = scene.add(ann, { left: 2 });
    scene.change(vandal, other, { left: 3 });
    const saved = createSavedStates(scene.now);
    scene.save(saved);
    const fresh = scene.add(vandal);
    scene.change(vandal, other, { left: 4 });
    scene.change(vandal, old, { left: 5 });
    run(scene.board, { saved, log: createChangeLog(scene.now) });
    expect(getObject(scene.board, fresh)).toBeUndefined();
    expect(getObject(scene.board, other)).toMatchObject({ left: 3 });
    expect(getObject(scene.board, old)).toMatchObject({ left: 1 });
  });

  test("HOST-32 an object that others changed since, that may be older, or whose removal nobody saw is a doubt for the host", () => {
    const scene = createScene();
    const lost = scene.add(ann);
    const [shared, early] = [scene.add(vandal), scene.add(vandal)];
    const saved = createSavedStates(scene.now - 1);
    scene.save(saved);
    scene.change(bob, shared, { fill: "blue" });
    removeObjects(scene.board, [lost]);
    // The evidence of a page that was opened just now.
    const evidence = { saved, log: createChangeLog(scene.now) };
    const decided = (id: ObjectId) => decide(scene.board, id, VANDAL, evidence);
    expect(decided(shared)).toEqual({ kind: "goes", doubt: "shared" });
    expect(decided(early)).toEqual({ kind: "goes", doubt: "older" });
    expect(decided(lost)).toMatchObject({ kind: "returns", doubt: "remover" });
    run(scene.board, evidence);
    expect(idsOf(scene.board)).toEqual([shared, early].sort());
    run(scene.board, evidence, new Set(["shared", "older", "remover"] as const));
    expect(idsOf(scene.board)).toEqual([lost]);
  });

  test("HOST-33 an object they changed or removed, of unknown earlier state, is counted and left as it is", () => {
    const scene = createScene();
    const [changed, removed] = [scene.add(ann), scene.add(ann)];
    const log = createChangeLog(0, { entries: 100, weight: 0 });
    const { removed: gone } = removeObjects(scene.board, [removed]);
    logChanges(log, { added: [], changed: [], removed: gone }, { at: 5_000, by: "vandal" });
    scene.change(vandal, changed, { fill: "red" });
    const evidence = { saved: createSavedStates(ALL), log };
    for (const id of [changed, removed])
      expect(decide(scene.board, id, VANDAL, evidence)).toEqual({ kind: "lost" });
    run(scene.board, evidence);
    expect(getObject(scene.board, changed)).toMatchObject({ fill: "red" });
  });

  test("HOST-30 the background returns; a plain client's work goes where plain clients are taken back", () => {
    const scene = createScene();
    const saved = createSavedStates(ALL);
    changeBackground(scene.board, ann, "#eeeeee");
    scene.save(saved);
    changeBackground(scene.board, vandal, "#ff0000");
    const evidence = { saved, log: scene.log };
    expect(earlierBackground(scene.board, new Set([OTHER_PROGRAM]), evidence)).toBeNull();
    run(scene.board, evidence);
    expect(scene.board.background).toBe("#eeeeee");
    const plain = scene.add("fabc" as Author);
    expect(decide(scene.board, plain, VANDAL, evidence)).toBeNull();
    expect(decide(scene.board, plain, new Set([OTHER_PROGRAM]), evidence)).toEqual({
      kind: "goes",
      doubt: null,
    });
  });
});

interface Step {
  readonly who: Author;
  readonly kind: "add" | "place" | "look" | "remove" | "restore";
  readonly id: ObjectId;
  readonly value: number;
  readonly inSpan: boolean;
}

interface Modelled {
  readonly owner: Author;
  place: number;
  look: number;
  isThere: boolean;
}

/** The board as it would be without the vandal's work in the span. */
function withoutVandal(steps: readonly Step[]): Map<ObjectId, Modelled> {
  const objects = new Map<ObjectId, Modelled>();
  for (const { who, kind, id, value, inSpan } of steps) {
    if (who === vandal && inSpan) continue;
    const object = objects.get(id);
    if (kind === "add") objects.set(id, { owner: who, place: value, look: 1, isThere: true });
    else if (object === undefined) continue;
    else if (kind === "remove") object.isThere = false;
    else if (kind === "restore") object.isThere = true;
    else if (object.isThere) object[kind] = value;
  }
  for (const [id, { isThere }] of objects) if (!isThere) objects.delete(id);
  return objects;
}

/** Runs a random history; returns its steps, and the evidence at its end. */
function history(seed: number) {
  const random = createRandom(seed);
  const scene = createScene();
  const { board } = scene;
  const steps: Step[] = [];
  interface Removal {
    readonly object: BoardObject;
    readonly by: Author;
    readonly inSpan: boolean;
  }
  const gone = new Map<ObjectId, Removal>();
  const total = random.integer(20, 60);
  const start = random.integer(0, total - 10);
  const isAll = random.boolean(0.3);
  let saved = createSavedStates(ALL);
  let value = 1;
  const act = (who: Author, inSpan: boolean): void => {
    value += 1;
    const living = [...board.objects.keys()];
    const kind = random.pick(["add", "place", "look", "look", "remove", "restore"] as const);
    const step = (id: ObjectId): unknown => steps.push({ who, kind, id, value, inSpan });
    // An object that they restore stays, unless they removed it in the span as well.
    const isTheirs = (one: Removal): boolean => one.by === vandal && one.inSpan === inSpan;
    const back = [...gone].filter(([, one]) => who !== vandal || isTheirs(one));
    if (kind === "restore") {
      if (back.length === 0) return;
      const [id, { object }] = random.pick(back);
      step(id);
      scene.restore(who, [object]);
      gone.delete(id);
    } else if (kind === "add" || living.length === 0) {
      const id = scene.add(who, { left: value, strokeWidth: 2 });
      steps.push({ who, kind: "add", id, value, inSpan });
    } else {
      const id = random.pick(living);
      step(id);
      if (kind === "place") scene.change(who, id, { left: value });
      else if (kind === "look") scene.change(who, id, { strokeWidth: value });
      else for (const object of scene.remove(who, id)) gone.set(id, { object, by: who, inSpan });
    }
  };
  for (let at = 0; at < total; at++) {
    if (at === start && !isAll) {
      saved = createSavedStates(scene.now);
      scene.save(saved);
    } else if (at > start && random.boolean(0.2)) scene.save(saved);
    act(random.pick([vandal, ann, bob]), isAll || at >= start);
  }
  return { board, log: scene.log, saved, steps, endedAt: scene.now };
}

const positionOf = (object: BoardObject | undefined): Json | undefined => object?.left;
const lookOf = (object: BoardObject | undefined): unknown => object?.["strokeWidth"];

function workedOn(steps: readonly Step[], id: ObjectId): boolean {
  return steps.some(
    ({ id: other, who, kind }) =>
      other === id && who !== vandal && (kind === "place" || kind === "look"),
  );
}

describe("properties", () => {
  test("HOST-34 regardless of two others' changes, the board becomes as it would be without the visitor taken back", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { board, log, saved, steps } = history(seed);
        const expected = withoutVandal(steps);
        const evidence = { saved, log };
        const check = (includes: ReadonlySet<Doubt>): void => {
          run(board, evidence, includes);
          for (const [id, { place, look }] of expected) {
            const object = getObject(board, id);
            expect([id, positionOf(object), lookOf(object)]).toEqual([
              id,
              place,
              look === 1 ? 2 : look,
            ]);
          }
        };
        check(NONE);
        for (const id of idsOf(board)) expect(expected.has(id) || workedOn(steps, id)).toBe(true);
        check(new Set(["shared"]));
        expect(idsOf(board)).toEqual([...expected.keys()].sort());
      }),
      { numRuns: 300 },
    );
  });

  test("HOST-34 a page that was opened late touches nothing that others did", () => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), (seed, withVersions) => {
        const { board, saved, steps, endedAt } = history(seed);
        const before = new Map(board.objects);
        const log: ChangeLog = createChangeLog(endedAt + 1);
        run(board, { saved: withVersions ? saved : createSavedStates(saved.since), log });
        const last = new Map(steps.map((step) => [step.id, step]));
        for (const [id, { who, kind }] of last) {
          if (who === vandal) continue;
          if (kind === "remove") expect(getObject(board, id)).toBeUndefined();
          else if (kind === "place")
            expect(positionOf(getObject(board, id))).toBe(positionOf(before.get(id)));
          else if (kind === "look")
            expect(lookOf(getObject(board, id))).toBe(lookOf(before.get(id)));
        }
      }),
      { numRuns: 300 },
    );
  });
});

import { describe, expect, test } from "vitest";
import { adoptForeign, type AdoptOptions } from "./adopt.ts";
import { makeAuthor, makeId } from "./author.ts";
import {
  countObjects,
  createBoard,
  digest,
  getObject,
  stackedObjects,
  type Board,
} from "./board.ts";
import type { Author, BoardChanges, BoardObject, Drawing, Json, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects } from "./edit.ts";
import { toDrawing } from "./encode.ts";
import { MAX_COUNT } from "./limits.ts";
import { mergeInto } from "./merge.ts";
import { parseDrawing } from "./parse.ts";
import { encodePath, parsePath } from "./path.ts";

const ann = makeAuthor(2500, "ann");
const rect = { type: "Rect", originX: "left", originY: "top", width: 10, height: 10 } as const;

/** Adds rectangles and returns their ids. */
function add(board: Board, author: Author, count = 1): ObjectId[] {
  const objects = Array.from({ length: count }, () => rect);
  return addObjects(board, author, objects).added.map(({ id }) => id);
}

function parsed(input: unknown): Drawing {
  const result = parseDrawing(input);
  if (!result.ok) throw new Error(result.reason);
  return result.drawing;
}

/** Parses a drawing as a page of Inkpool sends it. */
function ours(objects: readonly object[], context: object = {}): object {
  return { version: "7.4.0", objects, background: "white", inkpool: { format: 1, seen: context } };
}

/** Applies a parsed drawing as the newest one of a plain client; `retained` are the ids that its writer cannot know. */
function adopt(
  board: Board,
  input: object,
  retained: readonly ObjectId[] = [],
  options: Partial<AdoptOptions> = {},
): BoardChanges {
  const foreign = parseDrawing(input);
  if (!foreign.ok || !foreign.foreign) throw new Error("not a foreign drawing");
  const isRetained = ({ id }: BoardObject): boolean => retained.includes(id);
  const all = { isRetained, removes: true, size: Number.POSITIVE_INFINITY, ...options };
  const [changes] = [...adoptForeign(board, foreign, all)];
  return changes as BoardChanges;
}

describe("drawings of other programs", () => {
  const foreign = (...fills: string[]): object => ({
    version: "7.4.0",
    objects: fills.map((fill) => ({ ...rect, fill })),
    background: "#eeeeee",
  });

  test("MRG-13 a foreign drawing replaces the board, except this page's unsaved objects", () => {
    const board = createBoard();
    const [old, unsaved] = add(board, ann, 2) as [ObjectId, ObjectId];
    const changes = adopt(board, foreign("red", "blue"), [unsaved]);
    expect(changes.removed.map(({ id }) => id)).toEqual([old]);
    expect(changes.added.map(({ fill }) => fill)).toEqual(["red", "blue"]);
    expect(changes.background).toBe("#eeeeee");
    expect(countObjects(board)).toBe(3);
    // Adopting it again changes nothing; the other order of the same objects moves them.
    const again = adopt(board, foreign("red", "blue"), [unsaved]);
    expect(again).toEqual({ added: [], changed: [], removed: [], before: [] });
    adopt(board, foreign("blue", "red"));
    expect(stackedObjects(board).map(({ fill }) => fill)).toEqual(["blue", "red"]);
    adopt(board, foreign("red"));
    const back = adopt(board, foreign("red", "blue"));
    expect(back.added).toMatchObject([{ fill: "blue", life: 1 }]);
  });

  test("MRG-14 objects without our ids get the same ids in every browser, from their content and its repetitions", () => {
    const boards = [createBoard(), createBoard()];
    add(boards[0] as Board, ann, 3);
    for (const board of boards) adopt(board, foreign("red", "red", "blue"));
    const [a, b] = boards as [Board, Board];
    expect(stackedObjects(a)).toEqual(stackedObjects(b));
    const ids = stackedObjects(a).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe((ids[0] as string).replace(/-0$/, "-1"));
    for (const id of ids) expect(id).toMatch(/^f[0-9a-z]{1,11}-[01]$/);
    // In a drawing of ours, objects without a valid id are additions.
    const mixed = parsed(
      ours([
        { ...rect, fill: "red" },
        { ...rect, id: "NO-1", fill: "blue" },
      ]),
    );
    expect(mixed.objects.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
  });
});

/** The board as a plain Fabric client would send it: every object, without any field of ours. */
function plainCopy(board: Board, ids: "with ids" | "without ids" = "without ids"): object[] {
  return stackedObjects(board).map(({ id, life: _life, z: _z, stamps: _stamps, ...fabric }) => {
    const { eraser: _eraser, path, ...rest } = fabric as Record<string, Json>;
    const shown = { ...rest, ...(path === undefined ? {} : { path: commandsOf(path as string) }) };
    return ids === "with ids" ? { ...shown, id } : shown;
  });
}

/** Fabric reads path text and writes it as a list of absolute commands. */
function commandsOf(path: string): Json[] {
  const { commands, coords } = parsePath(path) as NonNullable<ReturnType<typeof parsePath>>;
  let at = 0;
  return commands.split("").map((letter) => {
    const count = letter === "Z" ? 0 : letter === "Q" ? 4 : letter === "C" ? 6 : 2;
    return [letter, ...coords.slice(at, (at += count))];
  });
}

function strokes(board: Board, count: number): ObjectId[] {
  const objects = Array.from({ length: count }, (_, at) => ({
    ...({ type: "Path", originX: "left", originY: "top", fill: null, stroke: "#ff0000" } as const),
    ...{ left: at * 10, top: 5, strokeWidth: 3, strokeLineCap: "round" },
    path: encodePath([0, 0, 3.3, 4 + at, 9, 9, 17.2, 3, 20, at]),
  }));
  return addObjects(board, ann, objects).added.map(({ id }) => id);
}

describe("MRG-13 a plain client's copy of an object is that object", () => {
  test.each(["with ids", "without ids"] as const)(
    "%s: the same drawing again changes nothing",
    (ids) => {
      const board = createBoard();
      strokes(board, 5);
      add(board, ann, 3);
      strokes(board, 1);
      const before = toDrawing(board);
      const changes = adopt(board, {
        version: "5.3.0",
        objects: plainCopy(board, ids),
        background: "white",
      });
      expect(changes).toEqual({ added: [], changed: [], removed: [], before: [] });
      expect(toDrawing(board)).toEqual(before);
    },
  );

  test("an object that it adds comes where it put it, one that it leaves out goes, the others stay as they are", () => {
    const board = createBoard();
    const ids = strokes(board, 4);
    const copy = plainCopy(board);
    const [first, , third, fourth] = copy;
    const objects = [first, third, { ...rect, fill: "teal" }, fourth, { ...rect, fill: "pink" }];
    const changes = adopt(board, { version: "7.4.0", objects, background: "white" });
    expect(changes.removed.map(({ id }) => id)).toEqual([ids[1]]);
    expect(changes.changed).toEqual([]);
    expect(stackedObjects(board).map(({ id, fill }) => fill ?? id)).toEqual([
      ids[0],
      ids[2],
      "teal",
      ids[3],
      "pink",
    ]);
  });

  test("an object that kept its id is moved and recoloured, and keeps its id", () => {
    const board = createBoard();
    const [id] = add(board, ann) as [ObjectId];
    const [copy] = plainCopy(board, "with ids");
    const changes = adopt(board, {
      version: "7.4.0",
      objects: [{ ...copy, left: 50, fill: "red" }],
      background: "white",
    });
    expect(changes).toMatchObject({
      added: [],
      removed: [],
      changed: [{ id, left: 50, fill: "red" }],
    });
    const stale = createBoard();
    add(stale, ann);
    mergeInto(board, toDrawing(stale));
    expect(getObject(board, id)).toMatchObject({ left: 50, fill: "red" });
  });

  test("MRG-13 a new object like one that was moved is added beside it, on every page", () => {
    const boards = [createBoard(), createBoard()];
    for (const board of boards) {
      adopt(board, { version: "7.4.0", objects: [rect], background: "white" });
      const [copy] = plainCopy(board, "with ids");
      const objects = [{ ...copy, left: 50 }, rect];
      for (let times = 0; times < 2; times += 1) {
        adopt(board, { version: "7.4.0", objects, background: "white" });
        expect(stackedObjects(board).map(({ left }) => left)).toEqual([50, undefined]);
      }
    }
    expect(digest(boards[0] as Board)).toBe(digest(boards[1] as Board));
  });

  test("MRG-13 an object of another type that somebody gave the id of its content is not taken for it", () => {
    const board = createBoard();
    const circle = { type: "Circle", originX: "left", originY: "top", radius: 5 };
    const drawing = { version: "7.4.0", objects: [circle], background: "white" };
    const [guessed] = parsed(drawing).objects;
    mergeInto(board, parsed(ours([{ ...rect, id: guessed?.id, z: 1 }])));
    adopt(board, drawing);
    expect(stackedObjects(board)).toMatchObject([circle]);
    expect(parsed(JSON.parse(JSON.stringify(toDrawing(board)))).objects).toEqual(
      stackedObjects(board),
    );
  });

  test("a colour that it gives and takes back is the first one again", () => {
    const board = createBoard();
    for (const fill of ["red", "blue", "red", "blue", "red"]) {
      adopt(board, { version: "7.4.0", objects: [{ ...rect, fill }], background: "white" });
      expect(stackedObjects(board).map((object) => object["fill"])).toEqual([fill]);
    }
    const other = createBoard();
    mergeInto(other, toDrawing(board));
    expect(digest(other)).toBe(digest(board));
  });

  test("MRG-9 an exhausted property group stays as it is, and the rest is taken", () => {
    const board = createBoard();
    const exhausted = { look: [MAX_COUNT, "zzz"] };
    const objects = [
      { ...rect, id: "bob-0", z: 1, stamps: exhausted },
      { ...rect, id: "bob-1", z: 2 },
    ];
    mergeInto(board, parsed(ours(objects)));
    const back = ["bob-0", "bob-1"].map((id) => ({ ...rect, id, fill: "#00ff00" }));
    const { changed } = adopt(board, { version: "7.4.0", objects: back });
    expect(changed.map(({ id }) => id)).toEqual(["bob-1"]);
    expect(getObject(board, "bob-0" as ObjectId)).toMatchObject({ stamps: exhausted });
    expect(getObject(board, "bob-0" as ObjectId)?.["fill"]).toBeUndefined();
    expect(parsed(toDrawing(board)).objects).toEqual(stackedObjects(board));
  });

  test("an eraser stroke that comes back without our field stays an eraser stroke", () => {
    const board = createBoard();
    const stroke = { type: "Path", path: "M0 0l9 9", fill: null, stroke: "white" } as const;
    addObjects(board, ann, [{ ...stroke, strokeWidth: 20, eraser: true }]);
    const before = toDrawing(board);
    adopt(board, { version: "7.4.0", objects: plainCopy(board), background: "white" });
    expect(toDrawing(board)).toEqual(before);
  });

  test("an object that its writer cannot know stays, and a removal that it cannot know is not undone", () => {
    const board = createBoard();
    const [old, fresh] = add(board, ann, 2) as [ObjectId, ObjectId];
    const copy = plainCopy(board);
    const { removed } = removeObjects(board, [old]);
    const changes = adopt(
      board,
      { version: "7.4.0", objects: copy.slice(0, 1), background: "white" },
      [fresh],
      { isRetained: (object) => object.id === fresh || object["width"] === removed[0]?.["width"] },
    );
    expect(changes).toEqual({ added: [], changed: [], removed: [], before: [] });
  });

  test.each([2 ** 40, -(2 ** 40)])(
    "MRG-8 beside an object at height %d, everybody reads the board as the page that adopted a drawing has it",
    (z) => {
      const board = createBoard();
      mergeInto(board, parsed(ours([{ ...rect, id: makeId(ann, 0), z }])));
      const red = { ...rect, fill: "red" };
      const objects = z > 0 ? [rect, red] : [red, rect];
      adopt(board, { version: "7.4.0", objects, background: "white" });
      expect(countObjects(board)).toBe(2);
      const reader = createBoard();
      mergeInto(reader, parsed(JSON.parse(JSON.stringify(toDrawing(board)))));
      expect(digest(reader)).toBe(digest(board));
    },
  );

  test("a drawing that may not remove only adds", () => {
    const board = createBoard();
    add(board, ann, 3);
    const changes = adopt(
      board,
      { objects: [null, { type: "NoSuchThing" }, { ...rect, fill: "red" }] },
      [],
      { removes: false },
    );
    expect(changes.removed).toEqual([]);
    expect(countObjects(board)).toBe(4);
  });

  test("two pages that apply the same drawing have equal boards", () => {
    const [a, b] = [createBoard(), createBoard()];
    strokes(a, 6);
    mergeInto(b, toDrawing(a));
    changeObjects(a, ann, []);
    const copy = plainCopy(a);
    const drawing = {
      version: "7.4.0",
      objects: [copy[3], copy[1], { ...rect, fill: "teal" }, copy[0], { ...rect, fill: "teal" }],
      background: "#eee",
    };
    adopt(a, drawing);
    adopt(b, drawing);
    expect(toDrawing(a)).toEqual(toDrawing(b));
    expect(digest(a)).toBe(digest(b));
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutSource, withSources } from "./bare-pictures.ts";
import { createBoard, digest, getObject, stackedObjects, type Board } from "./board.ts";
import { compactObject } from "./compact-object.ts";
import { makeAuthor } from "./author.ts";
import type { BoardObject, Drawing, NewObject, ObjectId } from "./drawing.ts";
import { addObjects, changeObjects, removeObjects, restoreObjects } from "./edit.ts";
import { toDrawing, toPartial } from "./encode.ts";
import { merge, mergeInto } from "./merge.ts";
import { describeObject } from "./object-name.ts";
import { parseDrawing } from "./parse.ts";
import { MAX_SOURCE } from "./limits.ts";

const [ann, ben] = [makeAuthor(1, "ann"), makeAuthor(1, "ben")];
const PNG = "data:image/png;base64,iVBORw0KGgo=";
const picture = { type: "Image", src: PNG, width: 40, height: 30, alt: "cat.png" } as NewObject;

function add(board: Board, object: NewObject = picture): ObjectId {
  return addObjects(board, ann, [object]).added[0]!.id;
}

function copyOf(board: Board): Board {
  const copy = createBoard();
  mergeInto(copy, read(toDrawing(board)));
  return copy;
}

function read(drawing: unknown): Drawing {
  const parsed = parseDrawing(JSON.stringify(drawing));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.drawing;
}

function bareOf(board: Board, id: ObjectId): Drawing {
  return read(toPartial(board, [id], withoutSource));
}

const whole = (objects: readonly unknown[]) =>
  parseDrawing({ objects, inkpool: { format: 1, seen: {} } });

describe("IMG-1 the definition of a picture", () => {
  test("a raster picture inside of the drawing is one, as Fabric writes it", () => {
    const fabric = { ...picture, cropX: 0, cropY: 0, crossOrigin: null, filters: [], stroke: null };
    expect(compactObject({ ...fabric, originX: "left", originY: "top", left: 5, top: 6 })).toEqual({
      ...{ type: "Image", src: PNG, width: 40, height: 30, alt: "cat.png" },
      ...{ originX: "left", originY: "top", left: 5, top: 6 },
    });
  });

  test.each([
    "https://example.org/x.png",
    "//example.org/x.png",
    "javascript:alert(1)",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:image/svg+xml,<svg onload='alert(1)'/>",
    "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/png,abc",
    "data:image/png;base64,ab\ncd",
    "data:image/png;base64,abcd, https://example.org",
    " data:image/png;base64,abcd",
    "DATA:image/png;base64,abcd",
    "data:image/png;charset=x;base64,abcd",
    "data:image/png;base64,",
    "blob:https://example.org/1",
    `data:image/png;base64,${"A".repeat(MAX_SOURCE)}`,
    7,
    null,
    undefined,
    [PNG],
  ])("the source %j is none: left out, and kept as it came", (src) => {
    const image = { ...picture, src, id: `${ann}-0`, z: 1 };
    const parsed = whole([image, { type: "Rect", width: 5, height: 5 }]);
    expect(parsed).toMatchObject({ ok: true, leftOut: 1, unreadable: [image] });
    expect(parsed.ok && parsed.drawing.objects).toHaveLength(1);
  });

  test("a filter, a missing size and a picture inside of another object are refused", () => {
    const { width: _width, ...sizeless } = picture;
    const group = { type: "Group", objects: [picture] };
    const clipped = { type: "Rect", width: 5, height: 5, clipPath: picture };
    const filtered = { ...picture, filters: [{ type: "Blur" }] };
    const parsed = whole([filtered, sizeless, group, clipped, { ...picture, width: 1e6 }]);
    expect(parsed).toMatchObject({ ok: true, leftOut: 5 });
  });

  test("10,000 of them are read, or left out, like any objects", () => {
    const hostile = Array.from({ length: 10_000 }, (_, at) => ({
      ...picture,
      src: at % 2 ? `data:image/gif;base64,${at}` : `https://example.org/${at}`,
    }));
    const parsed = whole(hostile);
    expect(parsed).toMatchObject({ ok: true, leftOut: 5_000 });
    expect(parsed.ok && parsed.drawing.objects).toHaveLength(5_000);
  });

  test("no source that is accepted leaves the drawing", () => {
    const parts = fc.array(
      fc.constantFrom(
        ...["data:", "image/", "png", "gif", "svg+xml", ";", "base64,", ",", "QUJD", "=", "\n"],
        ...["https://a.b/", "//", "url(", ")", "'", "<", "%00", " "],
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(parts, (words) => {
        const src = words.join("");
        const parsed = whole([{ ...picture, src }]);
        if (!parsed.ok || parsed.drawing.objects.length === 0) return true;
        return /^data:image\/(png|gif);base64,[A-Za-z0-9+/]+={0,2}$/.test(src);
      }),
    );
  });

  test("it is named by its file", () => {
    const board = createBoard();
    const named = getObject(board, add(board))!;
    expect(describeObject(named)).toEqual({ kind: "picture", text: "cat.png" });
    const nameless = getObject(board, add(board, { ...picture, alt: "" }))!;
    expect(describeObject(nameless)).toEqual({ kind: "picture", text: "" });
  });
});

describe("IMG-3 the bytes of a picture travel once", () => {
  test("a move without the source is merged with the receiver's copy", () => {
    const mine = createBoard();
    const id = add(mine);
    const theirs = copyOf(mine);
    changeObjects(mine, ben, [{ id, props: { left: 77 } }]);
    const bare = bareOf(mine, id);
    expect(JSON.stringify(bare)).not.toContain("base64");
    expect(JSON.stringify(bare).length).toBeLessThan(400);
    mergeInto(theirs, withSources(theirs, bare));
    expect(getObject(theirs, id)).toEqual(getObject(mine, id));
    expect(digest(theirs)).toBe(digest(mine));
  });

  test("a replica without the picture ignores its move, and takes both from the row", () => {
    const mine = createBoard();
    const id = add(mine);
    changeObjects(mine, ben, [{ id, props: { left: 77 } }]);
    const theirs = createBoard();
    mergeInto(theirs, withSources(theirs, bareOf(mine, id)));
    expect(stackedObjects(theirs)).toEqual([]);
    mergeInto(theirs, read(toDrawing(mine)));
    expect(getObject(theirs, id)).toEqual(getObject(mine, id));
  });

  test("a bare picture of another incarnation, or with other content, is not completed", () => {
    const mine = createBoard();
    const id = add(mine);
    const theirs = copyOf(mine);
    const cropped = copyOf(mine);
    changeObjects(cropped, ben, [{ id, props: { width: 20 } }]);
    const back = copyOf(mine);
    const { removed } = removeObjects(back, [id]);
    restoreObjects(back, ben, removed);
    for (const other of [cropped, back]) {
      const before = getObject(theirs, id);
      mergeInto(theirs, withSources(theirs, bareOf(other, id)));
      expect(getObject(theirs, id)).toBe(before);
    }
    mergeInto(theirs, withSources(theirs, read(toPartial(back, [id]))));
    expect(getObject(theirs, id)?.life).toBe(1);
  });

  test("a whole drawing with a picture without a source makes no claim about it", () => {
    const mine = createBoard();
    const id = add(mine);
    const { objects, ...rest } = toDrawing(mine);
    const parsed = parseDrawing({ ...rest, objects: objects.map(withoutSource) });
    expect(parsed).toMatchObject({ ok: true, leftOut: 1 });
    if (parsed.ok) mergeInto(mine, parsed.drawing);
    expect(getObject(mine, id)?.["src"]).toBe(PNG);
  });
});

test("IMG-4 pictures merge like any object", () => {
  const props = fc.record(
    { left: fc.integer({ min: 0, max: 99 }), opacity: fc.constantFrom(0.5, 1), z: fc.nat(9) },
    { requiredKeys: [] },
  );
  const edits = fc.array(fc.tuple(fc.constantFrom(ann, ben), fc.boolean(), props), {
    maxLength: 6,
  });
  const made = (base: Board, list: readonly [typeof ann, boolean, object][]): Drawing => {
    const board = copyOf(base);
    for (const [author, removes, change] of list)
      for (const { id } of stackedObjects(board).slice())
        if (removes) restoreObjects(board, author, removeObjects(board, [id]).removed);
        else changeObjects(board, author, [{ id, props: change as BoardObject }]);
    return read(toDrawing(board));
  };
  const base = createBoard();
  add(base);
  add(base, { ...picture, src: "data:image/gif;base64,R0lG" });
  fc.assert(
    fc.property(edits, edits, edits, (x, y, z) => {
      const [a, b, c] = [made(base, x), made(base, y), made(base, z)];
      expect(merge(a, b)).toEqual(merge(b, a));
      expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)));
      expect(merge(a, a)).toEqual(a);
    }),
    { numRuns: 50 },
  );
});

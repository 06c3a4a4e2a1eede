import { expect, test } from "vitest";
import { makeAuthor } from "../../../board/author.ts";
import { createBoard } from "../../../board/board.ts";
import { LIMITS } from "../../../board/constants.ts";
import { addObjects } from "../../../board/edit.ts";
import { OBJECTS_PER_SLICE, writeDrawing, writeDrawingNow } from "./drawing-text.ts";

test.each([0, 1, OBJECTS_PER_SLICE, OBJECTS_PER_SLICE + 1, 2 * OBJECTS_PER_SLICE + 1])(
  "SYN-18 unreadable objects are written below %i others, and the bytes are those of the text",
  async (count) => {
    const board = createBoard();
    const rectangle = { type: "Rect", left: 1, top: 1, width: 9, height: 9 } as const;
    const author = makeAuthor(2500, "ann");
    addObjects(
      board,
      author,
      Array.from({ length: count }, () => rectangle),
    );
    let pauses = 0;
    const env = { pause: async () => void (pauses += 1) } as Parameters<typeof writeDrawing>[1];
    const unreadable = [{ type: "Wormhole", text: "é" }, { type: "Wormhole" }];
    for (const carried of [[], unreadable]) {
      const written = await writeDrawing(board, env, carried);
      const { pieces, bytes } = written.ok ? written.text : { pieces: [], bytes: 0 };
      const { objects } = JSON.parse(pieces.join("")) as { objects: object[] };
      expect(objects.slice(0, carried.length)).toEqual(carried);
      expect(objects).toHaveLength(carried.length + count);
      expect(bytes).toBe(new TextEncoder().encode(pieces.join("")).length);
    }
    expect(pauses > 0).toBe(count > OBJECTS_PER_SLICE);
  },
);

test("SAV-18 what a closing page writes has unreadable objects too, and nothing is written that nobody could read", () => {
  const board = createBoard();
  const author = makeAuthor(2500, "ann");
  const unreadable = [{ type: "Wormhole" }];
  const group = (parts: number) => ({
    type: "Group" as const,
    objects: Array.from({ length: parts }, () => ({ type: "Circle" })),
  });
  addObjects(board, author, [group(60_000)]);
  const text = writeDrawingNow(board, LIMITS.canvasBytes, unreadable);
  expect(JSON.parse(text?.pieces.join("") ?? "{}")).toMatchObject({
    objects: [...unreadable, { type: "Group" }],
  });
  expect(writeDrawingNow(board, (text?.bytes ?? 0) - 1, unreadable)).toBeNull();
  expect(writeDrawingNow(board, (text?.bytes ?? 0) - 1)).not.toBeNull();
  addObjects(board, author, [group(60_000)]);
  expect(writeDrawingNow(board, LIMITS.canvasBytes)).toBeNull();
});

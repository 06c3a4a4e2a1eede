import { describe, expect, test } from "vitest";
import {
  createControllerBed,
  objects,
  settle,
  SURFACE,
} from "../../../testing/page/controller-bed.ts";
import { listAuthors, removeAuthor, tidyUp } from "./author-actions.ts";

/** An open board with other-1. */
async function openBed() {
  const bed = createControllerBed();
  bed.controller.open(SURFACE);
  await settle();
  const client = bed.clients[0]!;
  client.receive({ added: objects(1, 1) });
  client.finishStart();
  await settle();
  return { ...bed, client, ids: () => client.objects().map(({ id }) => id) };
}

test("HOST-20 tidying up removes invisible objects, in one step that can be undone", async () => {
  const { client, controller, ids, done } = await openBed();
  const hidden = objects(1, 7).map((object) => ({ ...object, opacity: 0 }));
  client.receive({ added: hidden });
  tidyUp(controller.board);
  expect(ids()).toEqual(["other-1"]);
  expect(done.at(-1)).toMatchObject({ text: "Removed 1 object that nobody can see" });
  tidyUp(controller.board);
  expect(done.at(-1)).toMatchObject({ text: "There is nothing that nobody can see", undo: null });
});

describe("the authors panel", () => {
  test("removes everything of one author as one change, with undo", async () => {
    const { controller, client, done, ids } = await openBed();
    client.receive({ added: objects(2, 2) });
    client.editor.add([{ type: "Rect" }]);
    const rows = await listAuthors(client);
    expect(rows.map((row) => row.ids.length)).toEqual([3, 1]);
    // An object that was drawn after the list was made is removed too.
    client.receive({ added: objects(1, 20) });
    await removeAuthor(controller.board, rows[0]!);
    expect(ids()).toEqual(["me-0"]);
    expect(done[0]!.text).toMatch(/^Removed 4 objects by [A-Z][a-z]+ [A-Z][a-z]+$/);
    await removeAuthor(controller.board, rows[0]!);
    expect(done.at(-1)!.undo).toBeNull();
  });

  test("a notice that offers the panel opens it", async () => {
    const { controller, client, notices } = await openBed();
    client.notify({ kind: "error", text: "too large", offer: "authors" });
    expect(notices[0]!.notice).toMatchObject({ offer: "authors" });
    notices[0]!.openPanel("authors");
    expect(controller.panel.get()).toBe("authors");
  });
});

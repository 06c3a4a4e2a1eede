import { expect, test } from "vitest";
import { stackedObjects } from "../../../board/board.ts";
import type { Author, NewObject } from "../../../board/drawing.ts";
import { parseDrawing } from "../../../board/parse.ts";
import { createFakeClock } from "../../../testing/sync/clock.ts";
import type { Environment } from "../environment/environment.ts";
import { createPlainClients } from "../replica/plain-clients.ts";
import { createReplica } from "../replica/replica.ts";
import { mergeRow } from "./row-merge.ts";

test("MRG-13 a plain drawing in the row removes the objects that were there at the request, and nothing newer, however long the answer takes", async () => {
  const clock = createFakeClock();
  const replica = createReplica({
    author: "ann" as Author,
    now: () => clock.now(),
    random: () => 0.5,
    onFault: (fault) => {
      throw fault;
    },
  });
  const plainClients = createPlainClients(clock);
  replica.onChanges(({ changes }) => plainClients.changed(changes, null));
  const add = (left: number): void => {
    const rect = { type: "Rect", left, top: 0, width: 9, height: 9, fill: "#000000" };
    replica.editor.add([rect as NewObject]);
  };
  add(1);
  await clock.advance(10_000);
  add(2);
  await clock.advance(1_000);
  const requested = clock.now();
  add(3);
  await clock.advance(60_000);
  replica.pending.markSent(replica.pending.ownIds());
  replica.pending.savedUpTo(replica.pending.revision);
  const parsed = parseDrawing({ version: "7.4.0", objects: [], background: "white" });
  if (!parsed.ok) throw new Error(parsed.reason);
  const dependencies = { replica, plainClients, env: {} as Environment, backend: {} as never };
  const retained = await mergeRow(dependencies, parsed, requested);
  expect(stackedObjects(replica.board).map((object) => object["left"])).toEqual([2, 3]);
  expect(retained).toHaveLength(2);
});

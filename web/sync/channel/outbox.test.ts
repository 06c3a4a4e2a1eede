import { expect, test } from "vitest";
import { makeAuthor } from "../../../board/author.ts";
import { digest, getObject } from "../../../board/board.ts";
import type { Drawing, NewObject, ObjectId } from "../../../board/drawing.ts";
import type { UpdateMessage } from "../../../board/messages.ts";
import { parseDrawing } from "../../../board/parse.ts";
import { createSignal } from "../environment/signal.ts";
import { createReplica } from "../replica/replica.ts";
import { createOutbox, type OutboxDependencies } from "./outbox.ts";

const PICTURE = {
  type: "Image",
  src: `data:image/png;base64,${"A".repeat(400_000)}`,
  ...{ width: 40, height: 30, originX: "left", originY: "top" },
} as NewObject;

function replicaOf(name: string) {
  return createReplica({
    author: makeAuthor(1, name),
    now: () => 0,
    random: () => 0,
    onFault: (fault) => expect.unreachable(String(fault)),
  });
}

function bed(allPartial = true, delay = 0) {
  let now = 0;
  const sent: UpdateMessage[] = [];
  const replica = replicaOf("ann");
  const outbox = createOutbox({
    replica,
    clientId: "ann",
    // Nothing is sent by time here.
    clock: { now: () => (now += 5_000), setTimer: () => 0, clearTimer: () => {} } as never,
    presence: createSignal({ allPartial }) as unknown as OutboxDependencies["presence"],
    rate: { interval: () => 1_000 } as never,
    channel: {
      send: (_event, message) => Boolean(sent.push(message as UpdateMessage)),
      joined: createSignal(true),
    },
    delay,
  });
  replica.onEdit(({ ids }) => outbox.add(ids));
  /** The characters of the last update, and its drawing. */
  const flushed = () => {
    outbox.flush();
    const json = sent.at(-1)!.json as Drawing;
    return { json, length: JSON.stringify(json).length };
  };
  return { replica, outbox, flushed, sent };
}

test("IMG-3 the source of a picture goes with its first update alone", () => {
  const { replica, flushed } = bed();
  const { editor } = replica;
  const [picture] = editor.add([PICTURE]);
  const id = picture!.id;
  expect(flushed().json.objects[0]?.["src"]).toBe(PICTURE["src"]);
  editor.change([{ id, props: { left: 100 } }]);
  const moved = flushed();
  const [rect] = editor.add([{ type: "Rect", width: 40, height: 30, left: 1 } as NewObject]);
  flushed();
  editor.change([{ id: rect!.id, props: { left: 100 } }]);
  const movedRect = flushed();
  // The rectangle's update is the whole board without a picture on it: here it is a part as well.
  expect(moved.json.objects).toMatchObject([{ type: "Image", id, left: 100 }]);
  expect(moved.length).toBeLessThan(1.2 * movedRect.length);
});

test("IMG-3 a restored picture has its source once more", () => {
  const { replica, flushed } = bed();
  const [picture] = replica.editor.add([PICTURE]);
  flushed();
  replica.editor.remove([picture!.id]);
  expect(flushed().json.objects).toEqual([]);
  replica.undo();
  expect(flushed().json.objects[0]?.["src"]).toBe(PICTURE["src"]);
  replica.editor.change([{ id: picture!.id as ObjectId, props: { left: 9 } }]);
  expect(flushed().length).toBeLessThan(500);
});

test("IMG-3 plain clients get whole drawings, with every source", () => {
  const { replica, flushed } = bed(false);
  const [picture] = replica.editor.add([PICTURE]);
  flushed();
  replica.editor.change([{ id: picture!.id, props: { left: 9 } }]);
  expect(flushed().json.objects[0]?.["src"]).toBe(PICTURE["src"]);
});

test("IMG-3 a peer with the picture follows, and one without it is left with another digest", () => {
  const { replica, sent, outbox } = bed();
  const [peer, other] = [replicaOf("ben"), replicaOf("cid")];
  const [picture] = replica.editor.add([PICTURE]);
  outbox.flush();
  replica.editor.change([{ id: picture!.id, props: { left: 9, opacity: 0.5 } }]);
  outbox.flush();
  const drawings = sent.map(({ json }) => parseDrawing(JSON.stringify(json)));
  for (const [at, parsed] of drawings.entries()) {
    if (!parsed.ok) throw new Error(parsed.reason);
    peer.receive(parsed.drawing);
    if (at > 0) other.receive(parsed.drawing);
  }
  expect(drawings).toHaveLength(2);
  expect(getObject(peer.board, picture!.id)).toEqual(getObject(replica.board, picture!.id));
  expect(digest(peer.board)).toBe(sent[1]!.digest);
  expect(digest(other.board)).not.toBe(sent[1]!.digest);
  expect(other.pending.count).toBe(0);
});

test("SAV-7 an object that a paused page does not send next is not said to be sent", () => {
  const { outbox, sent } = bed(true, 80);
  expect(outbox.add(["ann-0" as ObjectId])).toBe(true);
  outbox.flush();
  outbox.setPaused(true);
  expect(outbox.add(["ann-1" as ObjectId])).toBe(false);
  outbox.flush();
  expect(sent).toHaveLength(1);
});

test("SYN-8 a few large objects are sent whole up to 32 KB, too, and then in parts", () => {
  const { replica, flushed } = bed();
  const text = { type: "Text", text: "x".repeat(9_900), left: 1, top: 1 } as NewObject;
  const isPart = [1, 2, 3, 4].map(() => {
    replica.editor.add([text]);
    return flushed().json.inkpool.partial === true;
  });
  expect(isPart).toEqual([false, false, false, true]);
});

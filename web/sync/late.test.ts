import { expect, test } from "vitest";
import * as dealings from "./dealings.ts";
import type { World } from "./world.ts";
import * as history from "../../board/history.ts";
import { createPlace, stroke } from "../../testing/rooms.ts";

/** A loader that waits for `come`, and rejects the first time when it `fails`. */
function gate<Code>(code: Code, fails = false) {
  let open: () => void = () => undefined;
  let calls = 0;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    come: open,
    calls: () => calls,
    load: async (): Promise<Code> => {
      calls += 1;
      if (fails && calls === 1) throw new Error("not fetched");
      await opened;
      return code;
    },
  };
}

/** Ann draws alone; Ben joins her. */
function meet(late: Partial<World>) {
  const place = createPlace();
  const ann = place.visit("ann", undefined, late);
  return { place, ann };
}

test("whoever is alone fetches no code for the company of others, and what came before the code is taken in with it", async () => {
  const code = gate(dealings);
  const { place, ann } = meet({ loadDealings: code.load });
  await place.clock.advance(2_000);
  expect(code.calls()).toBe(0);
  const ben = place.visit("ben");
  await place.clock.advance(2_000);
  expect(code.calls()).toBe(1);
  ben.room.editor.add([stroke()]);
  await place.clock.advance(200);
  expect(ann.room.objects()).toHaveLength(0);
  code.come();
  await place.clock.advance(1);
  expect(ann.room.objects()).toHaveLength(1);
});

test("code that could not be fetched is fetched when somebody says something again", async () => {
  const code = gate(dealings, true);
  code.come();
  const { place, ann } = meet({ loadDealings: code.load });
  await place.clock.advance(2_000);
  const ben = place.visit("ben");
  await place.clock.advance(2_000);
  ben.room.editor.add([stroke()]);
  await place.clock.advance(2_000);
  expect(code.calls()).toBe(2);
  expect(ann.room.objects()).toHaveLength(1);
});

test("a change that was made before the code of undo was there can be undone when it is", async () => {
  const code = gate(history);
  const { place, ann } = meet({ loadHistory: code.load });
  await place.clock.advance(2_000);
  ann.room.editor.add([stroke()]);
  expect(ann.room.history.get().canUndo).toBe(false);
  code.come();
  await place.clock.advance(1);
  expect(ann.room.history.get().canUndo).toBe(true);
  ann.room.undo();
  expect(ann.room.objects()).toHaveLength(0);
});

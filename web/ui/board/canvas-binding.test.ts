import { expect, test } from "vitest";
import type { SyncClient } from "../../sync/port.ts";
import { bindCanvas, type BindingEvents } from "./canvas-binding.ts";

test("SAV-7 whoever ends a binding again waits until the journal contains the pending edits too", async () => {
  let finishDisposal = (): void => undefined;
  let disposals = 0;
  const client = {
    start: () => Promise.resolve(),
    dispose() {
      disposals += 1;
      return new Promise<void>((resolve) => (finishDisposal = resolve));
    },
  } as unknown as SyncClient;
  const binding = bindCanvas(
    client,
    () => expect.unreachable("no canvas is made"),
    new Promise(() => undefined),
    {} as BindingEvents,
  );
  const ended: string[] = [];
  const first = binding.end().then(() => ended.push("first"));
  const second = binding.end().then(() => ended.push("second"));
  await new Promise(setImmediate);
  expect(ended).toEqual([]);
  finishDisposal();
  await Promise.all([first, second]);
  expect(disposals).toBe(1);
});

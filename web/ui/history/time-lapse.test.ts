import { expect, test } from "vitest";
import type { Drawing } from "../../../board/drawing.ts";
import { settle } from "../../../testing/page/controller-bed.ts";
import { createSignal } from "../../sync/environment/signal.ts";
import type { Preview, Previewed } from "../controller/board-access.ts";
import { createTimeLapse, STEP } from "./time-lapse.ts";

const LIST: readonly Previewed[] = ["a", "b", "c"].map((id) => ({ id, time: `time of ${id}` }));
const drawing = (id: string) => ({ objects: [], background: id }) as unknown as Drawing;

/** Versions that load and paint immediately; those in `gone` do not exist. */
function createBed(gone: readonly string[] = []) {
  const preview = createSignal<Preview>({ state: "none" });
  const calls: string[] = [];
  const timers = new Set<() => void>();
  let covers = 0;
  let showing = Promise.resolve();
  const lapse = createTimeLapse({
    versions: {
      preview,
      show(version, loaded) {
        calls.push(`show ${version.id}${loaded ? " loaded" : ""}`);
        preview.set({ state: "loading", ...version });
        showing = Promise.resolve().then(() =>
          preview.set(
            gone.includes(version.id)
              ? { state: "failed", reason: "gone", ...version }
              : { state: "shown", drawing: loaded ?? drawing(version.id), ...version },
          ),
        );
      },
      settled: () => showing,
      async load(id, use) {
        calls.push(`load ${id}`);
        return use(gone.includes(id) ? null : drawing(id));
      },
    },
    startTimer(work, ms) {
      expect(ms).toBe(STEP);
      timers.add(work);
      return () => timers.delete(work);
    },
    cover() {
      covers += 1;
      return () => void (covers -= 1);
    },
  });
  lapse.update(LIST);
  const close = lapse.open();
  const fire = async () => {
    const due = [...timers];
    timers.clear();
    for (const work of due) work();
    await settle();
  };
  return { lapse, close, preview, calls, timers, fire, covers: () => covers };
}

test("HIS-10 playing shows the versions from the oldest to the newest, each loaded one ahead", async () => {
  const { lapse, close, calls, fire, timers, covers } = createBed();
  lapse.play();
  await settle();
  expect(lapse.state.get()).toEqual({ playing: true, at: 0 });
  expect(calls).toEqual(["show a", "load b"]);
  await fire();
  await fire();
  expect(calls).toEqual(["show a", "load b", "show b loaded", "load c", "show c loaded"]);
  expect(lapse.state.get()).toEqual({ playing: false, at: 2 });
  expect([timers.size, covers()]).toEqual([0, 0]);
  // From the end it starts again.
  lapse.play();
  await settle();
  expect(calls.at(-2)).toBe("show a");
  close();
  await fire();
  expect(calls.at(-1)).toBe("load b");
});

test("HIS-10 a pause, the slider, and any other change of the preview end the playing", async () => {
  const { lapse, preview, calls, covers, fire, timers } = createBed();
  lapse.play();
  await settle();
  lapse.pause();
  await fire();
  expect([lapse.state.get(), timers.size]).toEqual([{ playing: false, at: 0 }, 0]);
  lapse.play();
  await settle();
  expect(calls.at(-2)).toBe("show b loaded");
  lapse.show(0);
  await settle();
  expect(lapse.state.get()).toEqual({ playing: false, at: 0 });
  lapse.play();
  await settle();
  preview.set({ state: "none" });
  expect(lapse.state.get()).toEqual({ playing: false, at: 1 });
  lapse.play();
  await settle();
  expect(lapse.state.get()).toEqual({ playing: true, at: 0 });
  preview.set({ state: "loading", id: "c", time: "" });
  expect(lapse.state.get()).toEqual({ playing: false, at: 2 });
  // Dragging the slider makes only one cover, and none remains as soon as the board is shown.
  for (const at of [0, 1, 2]) lapse.show(at);
  expect(covers()).toBe(1);
  preview.set({ state: "none" });
  expect(covers()).toBe(0);
  await settle();
  expect(covers()).toBe(0);
});

test("HIS-10 a version that is gone is passed over; a list that changed goes on; one version or none is played too", async () => {
  const { lapse, calls, fire } = createBed(["b"]);
  lapse.play();
  await settle();
  lapse.update([{ id: "0", time: "" }, ...LIST]);
  expect(lapse.state.get().at).toBe(1);
  await fire();
  expect(calls.at(-2)).toBe("show b");
  await fire();
  expect(calls.at(-1)).toBe("show c loaded");
  lapse.update([]);
  lapse.play();
  await settle();
  expect(lapse.state.get()).toEqual({ playing: false, at: 0 });
  lapse.update([{ id: "c", time: "" }]);
  lapse.play();
  await settle();
  expect(calls.at(-1)).toBe("show c");
  expect(lapse.state.get()).toEqual({ playing: false, at: 0 });
});

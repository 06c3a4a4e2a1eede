/** Tests leaks: listeners, nodes and canvases after many operations, and after a canvas is closed. */

import type { CDPSession } from "@playwright/test";
import { drag, expect, settle, test } from "./page.ts";

test("UI-21 a canvas that was opened and closed a hundred times leaves no listener, element or timer", async ({
  page,
  open,
}) => {
  await page.addInitScript(() => {
    const listeners = new Map<string, number>();
    const count = (type: string, by: number): void => {
      listeners.set(type, (listeners.get(type) ?? 0) + by);
    };
    const known = new Map<object, Set<string>>();
    const keyOf = (type: string, listener: unknown, capture: boolean): string => {
      ids.set(listener, ids.get(listener) ?? ids.size);
      return `${type} ${ids.get(listener)} ${capture}`;
    };
    const ids = new Map<unknown, number>();
    // oxlint-disable-next-line typescript/unbound-method -- called with the element as `this`, as the page calls it
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    const targets: readonly unknown[] = [window, document];
    const isCapture = (options: unknown): boolean =>
      typeof options === "boolean"
        ? options
        : ((options as { capture?: boolean } | null)?.capture ?? false);
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      if (targets.includes(this) || (this as Element).id === "host") {
        const key = keyOf(type, listener, isCapture(options));
        const keys = known.get(this) ?? new Set();
        known.set(this, keys);
        if (!keys.has(key)) count(type, 1);
        keys.add(key);
        const signal = typeof options === "object" ? options?.signal : undefined;
        if (signal)
          addEventListener.call(signal, "abort", () => {
            if (keys.delete(key)) count(type, -1);
          });
      }
      addEventListener.call(this, type, listener, options);
    };
    EventTarget.prototype.removeEventListener = function (type, listener, options) {
      if (known.get(this)?.delete(keyOf(type, listener, isCapture(options)))) count(type, -1);
      removeEventListener.call(this, type, listener, options);
    };
    (window as unknown as { listeners: typeof listeners }).listeners = listeners;
  });
  await open(page, "/index.html?closed");
  const round = (times: number) =>
    page.evaluate(async (rounds) => {
      for (let i = 0; i < rounds; i++) {
        const harness = window.openHarness(300, 200);
        await harness.internals.complete();
        harness.canvas.tools.choose("rectangle");
        harness.canvas.tools.addSticker("🎉");
        harness.canvas.tools.choose(i % 2 === 0 ? "draw" : "select");
        await harness.canvas.dispose();
      }
      const { listeners } = window as unknown as { listeners: Map<string, number> };
      return {
        listeners: Object.fromEntries([...listeners].filter(([, count]) => count !== 0)),
        canvases: document.querySelectorAll("canvas").length,
        elements: document.querySelectorAll("*").length,
      };
    }, times);
  const once = await round(2);
  const often = await round(100);
  expect(often).toEqual(once);
  expect(often.canvases).toBe(0);
});

/** Counts listeners and nodes that the browser keeps for the page, including those of removed elements. */
async function countInHeap(session: CDPSession): Promise<Record<string, number>> {
  for (let n = 0; n < 3; n++) await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  return Object.fromEntries(
    metrics
      .filter(({ name }) => name === "JSEventListeners" || name === "Nodes")
      .map(({ name, value }) => [name, value]),
  );
}

test("UI-21 after 1,000 operations the canvas keeps as much as before them", async ({ canvas }) => {
  test.slow();
  const session = await canvas.context().newCDPSession(canvas);
  await session.send("Performance.enable");
  /** Performs a hundred operations of this visitor and of peers; the board is empty again after them. */
  const round = async (number: number) => {
    await canvas.evaluate(async (seed) => {
      const { harness, instruments } = window;
      const { canvas: shown, board } = harness;
      await instruments.playSteps(harness, seed, 72);
      await instruments.compareRepaint(harness);
      shown.view.resize(800, 500);
      harness.internals.setViewport([1, 0, 0, 1, 0, 0]);
      shown.tools.choose("rectangle");
      shown.tools.addSticker("🎉");
      shown.selection?.nudge(10, 10);
      shown.tools.selectAll();
      shown.selection?.remove();
      shown.tools.choose("draw");
      const peers = (count: number) =>
        Array.from({ length: 3 }, (_, n) => ({
          clientId: `peer${n}`,
          name: `Peer ${n}`,
          pointer: count > 0 ? { x: 10 * count, y: 20 * n } : null,
          ink: count > 0 ? [{ stroke: `${seed}`, color: "#000000", width: 3, points: [n, 5] }] : [],
          drags: [],
        }));
      for (let count = 1; count <= 6; count++) shown.showPeers(peers(count));
      shown.showPeers([]);
      for (let count = 0; count < 5; count++) {
        shown.tools.choose("select");
        shown.tools.choose("draw");
      }
      shown.tools.setColor("#ff0000");
      board.removeByPeer([...board.objects.keys()]);
    }, number);
    await drag(canvas, 100, 100, 200, 150);
    await canvas.evaluate(() => {
      window.harness.board.removeByPeer([...window.harness.board.objects.keys()]);
    });
    await settle(canvas);
  };
  const count = async () => ({
    ...(await countInHeap(session)),
    canvases: await canvas.locator("canvas").count(),
    elements: await canvas.locator("*").count(),
  });
  // A first count adds listeners of Playwright's own.
  await count();
  for (let n = 1; n <= 3; n++) await round(n);
  const before = await count();
  for (let n = 4; n <= 12; n++) await round(n);
  await round(3);
  expect(await count()).toEqual(before);
});

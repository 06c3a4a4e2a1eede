/** A controller with fake sync clients and canvases behind it, for tests of the page. */

import type { BoardObject, ObjectId } from "../../board/drawing.ts";
import type { CanvasOptions } from "../../web/canvas/port.ts";
import { createSignal } from "../../web/sync/environment/signal.ts";
import type { Notice } from "../../web/sync/port.ts";
import type { PageConfig } from "../../web/ui/board/config.ts";
import { createController } from "../../web/ui/controller/controller.ts";
import type { DoneNotice, PageLoads } from "../../web/ui/board/environment.ts";
import type { SidePanelName } from "../../web/ui/language/side-panels.ts";
import { createFakeCanvas, type FakeCanvas } from "./fake-canvas.ts";
import { createFakeSyncClient, type FakeSyncClient } from "./fake-sync-client.ts";

export const CONFIG: PageConfig = {
  productName: "Pond",
  supabaseUrl: "http://127.0.0.1:1",
  supabaseAnonKey: "key",
};
export const SURFACE = { host: {} as HTMLElement, width: 800, height: 520 };

interface ShownNotice {
  readonly notice: Notice;
  readonly openPanel: (panel: SidePanelName) => void;
}

/** Makes a controller whose clients and canvases a test can inspect, and whose loads it can delay. */
export function createControllerBed(overrides: Partial<PageLoads> = {}) {
  const clients: FakeSyncClient[] = [];
  const canvases: FakeCanvas[] = [];
  const timers = new Set<() => void>();
  const faults: string[] = [];
  const configs: PageConfig[] = [];
  const notices: ShownNotice[] = [];
  /** The notices of large edits that are shown now. */
  const done: DoneNotice[] = [];
  const controller = createController({
    address: "http://127.0.0.1:1",
    productName: "Inkpool",
    loads: {
      config: async () => CONFIG,
      syncClient: async () => (config) => {
        configs.push(config);
        const client = createFakeSyncClient();
        clients.push(client);
        return client;
      },
      canvas: async () => (options: CanvasOptions) => {
        const canvas = createFakeCanvas(options);
        canvases.push(canvas);
        return canvas;
      },
      ...overrides,
    },
    notices: {
      show: (notice, openPanel) => notices.push({ notice, openPanel }),
      showDone(notice) {
        done.push(notice);
        return () => {
          done.splice(done.indexOf(notice), 1);
          notice.onGone();
        };
      },
    },
    focusCanvas: () => undefined,
    startTimer: (work) => {
      timers.add(work);
      return () => timers.delete(work);
    },
    fetchAhead: createSignal(false),
    random: () => 0,
    released: async () => undefined,
    log: (what) => faults.push(what),
  });
  const fire = () => {
    const due = [...timers];
    timers.clear();
    for (const work of due) work();
  };
  return { controller, clients, canvases, faults, configs, notices, done, fire, timers };
}

/** Lets everything that waits on resolved promises run. */
export const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Returns triangles of a peer, with the numbers from `from` on. */
export function objects(count: number, from = 0): BoardObject[] {
  return Array.from({ length: count }, (_, at) => {
    return { type: "Triangle", id: `other-${from + at}` as ObjectId, z: from + at } as const;
  });
}

import { describe, expect, test } from "vitest";
import type { BoardObject, ObjectId } from "../../board/drawing.ts";
import { createListCanvas, type ListCanvas } from "../../testing/listCanvas.ts";
import { createMemoryRoom, type MemoryRoom } from "../../testing/memoryRoom.ts";
import type { CanvasOptions } from "../canvas/port.ts";
import type { PageConfig } from "./config.ts";
import { createSession, type SessionParts } from "./session.ts";
import { SLICE } from "./slices.ts";

const CONFIG: PageConfig = {
  productName: "Pond",
  supabaseUrl: "http://127.0.0.1:1",
  supabaseAnonKey: "key",
};
const SURFACE = { host: {} as HTMLElement, width: 800, height: 520 };

/** A world whose rooms and canvases a test can look into, and whose loads it can hold back. */
function world(parts: Partial<SessionParts> = {}) {
  const rooms: MemoryRoom[] = [];
  const canvases: ListCanvas[] = [];
  const timers = new Set<() => void>();
  const faults: string[] = [];
  const configs: PageConfig[] = [];
  const session = createSession({
    origin: "http://127.0.0.1:1",
    productName: "Inkpool",
    loadConfig: async () => CONFIG,
    loadRoom: async () => (config) => {
      configs.push(config);
      const room = createMemoryRoom();
      rooms.push(room);
      return room;
    },
    loadCanvas: async () => (options: CanvasOptions) => {
      const canvas = createListCanvas(options);
      canvases.push(canvas);
      return canvas;
    },
    notify: () => undefined,
    later: (work) => {
      timers.add(work);
      return () => timers.delete(work);
    },
    pause: async () => undefined,
    released: async () => undefined,
    log: (what) => faults.push(what),
    ...parts,
  });
  const fire = () => {
    const due = [...timers];
    timers.clear();
    for (const work of due) work();
  };
  return { session, rooms, canvases, faults, configs, fire, timers };
}

/** Lets everything that waits on resolved promises run. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

function objects(count: number, from = 0): BoardObject[] {
  return Array.from({ length: count }, (_, at) => {
    return { type: "Rect", id: `other-${from + at}` as ObjectId, z: from + at } as const;
  });
}

describe("the way of a change to the canvas", () => {
  test("what arrives before the canvas exists is in its first load", async () => {
    let deliver = (): void => undefined;
    const canvases: ListCanvas[] = [];
    const { session, rooms } = world({
      loadCanvas: () =>
        new Promise((resolve) => {
          deliver = () =>
            resolve((options) => {
              const canvas = createListCanvas(options);
              canvases.push(canvas);
              return canvas;
            });
        }),
    });
    session.open(SURFACE);
    await settle();
    rooms[0]!.receive({ added: objects(3) });
    rooms[0]!.finishStart();
    await settle();
    expect(session.progress.get()).toBe("loading");
    deliver();
    await settle();
    expect(canvases[0]!.shown()).toEqual(["other-0", "other-1", "other-2"]);
    expect(session.progress.get()).toBe("ready");
  });

  test("a few changes are applied at once, a first board is loaded, a great change comes in slices", async () => {
    const { session, rooms, canvases } = world();
    session.open(SURFACE);
    await settle();
    rooms[0]!.receive({ added: objects(SLICE + 1) });
    rooms[0]!.receive({ added: objects(2, SLICE + 1) });
    rooms[0]!.receive({ added: objects(2 * SLICE + 1, 2 * SLICE) });
    await settle();
    expect(canvases[0]!.calls.filter((call) => /load|apply/.test(call))).toEqual([
      "load 0",
      `load ${SLICE + 1}`,
      "apply 2 0 0",
      `apply ${SLICE} 0 0`,
      `apply ${SLICE} 0 0`,
      "apply 1 0 0",
    ]);
    expect(canvases[0]!.shown()).toHaveLength(3 * SLICE + 4);
  });

  test("a local change is on the canvas before the editor returns, even while the room still loads", async () => {
    const { session, rooms, canvases } = world();
    session.open(SURFACE);
    await settle();
    const [made] = canvases[0]!.options.editor.add([{ type: "Rect" }]);
    expect(canvases[0]!.shown()).toEqual([made!.id]);
    expect(rooms[0]!.objects()).toHaveLength(1);
  });

  test("UI-19 the page is loading until the room has read the drawing and the canvas has painted it", async () => {
    const canvases: ListCanvas[] = [];
    const { session, rooms } = world({
      loadCanvas: async () => (options) => {
        const canvas = createListCanvas(options, false);
        canvases.push(canvas);
        return canvas;
      },
    });
    session.open(SURFACE);
    await settle();
    rooms[0]!.finishStart();
    await settle();
    expect(session.progress.get()).toBe("loading");
    canvases[0]!.finishLoad();
    await settle();
    expect(session.progress.get()).toBe("ready");
  });
});

describe("what a person does", () => {
  test("a tool that is chosen before the canvas exists is chosen once it does, each time", async () => {
    const { session, canvases } = world();
    session.open(SURFACE);
    session.setColor("#ff0000");
    session.setTool("rectangle");
    session.setTool("rectangle");
    session.addSticker("🚀");
    expect(session.tool.get()).toBe("rectangle");
    await settle();
    const calls = canvases[0]!.calls.filter((call) => /tool|color|sticker/.test(call));
    expect(calls.filter((call) => call === "tool rectangle")).toHaveLength(2);
    expect(calls.slice(-4)).toEqual([
      "color #ff0000",
      "tool rectangle",
      "tool rectangle",
      "sticker 🚀",
    ]);
  });

  test("the canvas follows the window, whenever the canvas comes", async () => {
    const { session, canvases } = world();
    session.open(SURFACE);
    session.resize(640, 400);
    await settle();
    expect(canvases[0]!.options).toMatchObject({ width: 640, height: 400 });
    session.resize(320, 200);
    expect(canvases[0]!.calls).toContain("resize 320 200");
  });

  test("undo, redo and clear go to the room", async () => {
    const { session, rooms } = world();
    session.open(SURFACE);
    await settle();
    session.undo();
    session.redo();
    session.clear();
    expect(rooms[0]!.calls).toEqual(["undo", "redo", "clear"]);
  });
});

describe("what others do", () => {
  test("is told to screen readers, but what was there at the start is not", async () => {
    const { session, rooms, fire } = world();
    session.open(SURFACE);
    await settle();
    rooms[0]!.receive({ added: objects(5) });
    rooms[0]!.finishStart();
    await settle();
    rooms[0]!.receive({ added: objects(2, 5) });
    rooms[0]!.editor.add([{ type: "Rect" }]);
    fire();
    expect(session.news.get()).toEqual({ sentence: "Someone added 2 objects", count: 1 });
  });
});

describe("failures", () => {
  test("UI-20 without a configuration the page works on this device, asks again, and then joins the others", async () => {
    let answers = false;
    const { session, rooms, canvases, configs, faults, fire } = world({
      loadConfig: async () => {
        if (answers) return CONFIG;
        throw new Error("down");
      },
    });
    session.open(SURFACE);
    await settle();
    expect(faults).toEqual(["the configuration could not be loaded; trying again"]);
    expect(configs[0]).toMatchObject({ supabaseUrl: "http://127.0.0.1:1", productName: "Inkpool" });
    session.setTool("circle");
    canvases[0]!.options.editor.add([{ type: "Rect" }]);
    expect(canvases[0]!.shown()).toHaveLength(1);

    fire();
    await settle();
    expect(rooms).toHaveLength(1);
    answers = true;
    fire();
    await settle();
    expect(rooms.map((room) => room.disposed)).toEqual([true, false]);
    expect(canvases.map((canvas) => canvas.disposed)).toEqual([true, false]);
    expect(configs[1]).toBe(CONFIG);
    expect(session.productName.get()).toBe("Pond");
    // The second canvas must not add a second circle.
    expect(canvases[1]!.calls).not.toContain("tool circle");
  });

  test("code that does not arrive is said, and logged", async () => {
    const { session, faults } = world({ loadCanvas: () => Promise.reject(new Error("404")) });
    session.open(SURFACE);
    await settle();
    expect(session.progress.get()).toBe("failed");
    expect(faults).toEqual(["the canvas could not be opened"]);

    const second = world({ loadRoom: () => Promise.reject(new Error("404")) });
    second.session.open(SURFACE);
    await settle();
    expect(second.session.progress.get()).toBe("failed");
  });
});

describe("opening and closing", () => {
  test("a session that closes before its code arrives makes nothing", async () => {
    const { session, rooms, canvases } = world();
    session.open(SURFACE)();
    await settle();
    expect([rooms.length, canvases.length]).toEqual([0, 0]);
  });

  test("UI-21 a hundred openings leave one room, one canvas, and no listener behind", async () => {
    const { session, rooms, canvases, timers } = world();
    for (let turn = 0; turn < 100; turn += 1) {
      const close = session.open(SURFACE);
      await settle();
      rooms.at(-1)!.receive({ added: objects(1) });
      close();
    }
    session.open(SURFACE);
    await settle();
    expect(rooms).toHaveLength(101);
    expect(rooms.filter((room) => !room.disposed)).toHaveLength(1);
    expect(canvases.filter((canvas) => !canvas.disposed)).toHaveLength(1);
    expect(rooms.slice(0, -1).map((room) => room.listeners())).toEqual(
      Array.from({ length: 100 }, () => 0),
    );
    expect(timers.size).toBe(0);
  });
});

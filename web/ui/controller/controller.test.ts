import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  CONFIG,
  createControllerBed,
  objects,
  settle,
  SURFACE,
} from "../../../testing/page/controller-bed.ts";
import { createFakeCanvas, type FakeCanvas } from "../../../testing/page/fake-canvas.ts";
import { type Tool, toolRow, TOOLS } from "../../../board/tools.ts";
import { SHOWN_PER_SLICE } from "../board/change-queue.ts";
import { saveStateLabel } from "../kit/labels.ts";

describe("a change on its way to the canvas", () => {
  test("objects that arrive before the canvas exists are in its first load", async () => {
    let deliver = (): void => undefined;
    const canvases: FakeCanvas[] = [];
    const { controller, clients } = createControllerBed({
      canvas: () =>
        new Promise((resolve) => {
          deliver = () =>
            resolve((options) => {
              const canvas = createFakeCanvas(options);
              canvases.push(canvas);
              return canvas;
            });
        }),
    });
    controller.open(SURFACE);
    await settle();
    clients[0]!.receive({ added: objects(3) });
    clients[0]!.finishStart();
    await settle();
    expect(controller.progress.get()).toBe("loading");
    deliver();
    await settle();
    expect(canvases[0]!.shown()).toEqual(["other-0", "other-1", "other-2"]);
    expect(controller.progress.get()).toBe("ready");
  });

  test("a few changes are applied at once, a first board is loaded, a great change comes in slices", async () => {
    const { controller, clients, canvases } = createControllerBed();
    controller.open(SURFACE);
    await settle();
    clients[0]!.receive({ added: objects(SHOWN_PER_SLICE + 1) });
    clients[0]!.receive({ added: objects(2, SHOWN_PER_SLICE + 1) });
    clients[0]!.receive({ added: objects(2 * SHOWN_PER_SLICE + 1, 2 * SHOWN_PER_SLICE) });
    await settle();
    expect(canvases[0]!.calls.filter((call) => /load|apply/.test(call))).toEqual([
      "load 0",
      `load ${SHOWN_PER_SLICE + 1}`,
      "apply 2 0 0",
      `apply ${SHOWN_PER_SLICE} 0 0`,
      `apply ${SHOWN_PER_SLICE} 0 0`,
      "apply 1 0 0",
    ]);
    expect(canvases[0]!.shown()).toHaveLength(3 * SHOWN_PER_SLICE + 4);
  });

  test("a local change is on the canvas before the editor returns, even while the client still loads", async () => {
    const { controller, clients, canvases } = createControllerBed();
    controller.open(SURFACE);
    await settle();
    const [made] = canvases[0]!.options.editor.add([{ type: "Rect" }]);
    expect(canvases[0]!.shown()).toEqual([made!.id]);
    expect(clients[0]!.objects()).toHaveLength(1);
  });

  test("UI-17 the page is loading until the client has read the row and the canvas has painted it", async () => {
    const canvases: FakeCanvas[] = [];
    const { controller, clients } = createControllerBed({
      canvas: async () => (options) => {
        const canvas = createFakeCanvas(options, false);
        canvases.push(canvas);
        return canvas;
      },
    });
    controller.open(SURFACE);
    await settle();
    clients[0]!.finishStart();
    await settle();
    expect(controller.progress.get()).toBe("loading");
    canvases[0]!.finishLoad();
    await settle();
    expect(controller.progress.get()).toBe("ready");
  });
});

test("PNT-87 a change of the count that the header does not show renders nothing", async () => {
  const { controller, clients } = createControllerBed();
  controller.open(SURFACE);
  await settle();
  const client = clients[0]!;
  const shown: string[] = [];
  controller.saveState.subscribe(() => shown.push(saveStateLabel(controller.saveState.get())));
  for (const changes of [1, 2, 3]) client.setSaveState({ state: "waiting", changes });
  for (const changes of [3, 4]) client.setSaveState({ state: "unsaved", changes });
  client.setSaveState({ state: "saved" });
  expect(shown).toEqual([
    "Saving soon",
    "3 changes not saved yet",
    "4 changes not saved yet",
    "Saved",
  ]);
});

describe("the visitor's actions", () => {
  test("a tool that is chosen before the canvas exists is chosen once it does, each time", async () => {
    const { controller, canvases } = createControllerBed();
    controller.open(SURFACE);
    controller.setColor("#ff0000");
    controller.setTool("rectangle");
    controller.setTool("rectangle");
    controller.addSticker("🚀");
    expect(controller.tool.get()).toBe("rectangle");
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
    const { controller, canvases } = createControllerBed();
    controller.open(SURFACE);
    controller.resize(640, 400);
    await settle();
    expect(canvases[0]!.options.surface).toMatchObject({ width: 640, height: 400 });
    controller.resize(320, 200);
    expect(canvases[0]!.calls).toContain("resize 320 200");
  });

  test("UI-173 undo takes back the stroke in hand and nothing else", async () => {
    const { controller, clients, canvases } = createControllerBed();
    controller.open(SURFACE);
    await settle();
    let isDrawing = true;
    Object.assign(canvases[0]!, { menu: { cancel: () => isDrawing } });
    controller.undo();
    expect(clients[0]!.calls).toEqual([]);
    isDrawing = false;
    controller.undo();
    expect(clients[0]!.calls).toEqual(["undo"]);
  });

  test("undo, redo and clear go to the sync client", async () => {
    const { controller, clients } = createControllerBed();
    controller.open(SURFACE);
    await settle();
    controller.undo();
    controller.redo();
    controller.clear();
    expect(clients[0]!.calls).toEqual(["undo", "redo", "clear"]);
  });
});

describe("each tool of the table, and one that is added to it", () => {
  const triangle = {
    ...toolRow("circle"),
    tool: "triangle" as Tool,
    shape: { type: "Triangle", width: 100, height: 90 },
  };
  const table = TOOLS as unknown as object[];
  beforeAll(() => void table.push(triangle));
  afterAll(() => void table.pop());

  const chosen = (canvas: FakeCanvas | undefined, tool: Tool) =>
    canvas?.calls.filter((call) => call === `tool ${tool}`).length ?? 0;

  test.each([...TOOLS.map(({ tool }) => tool), triangle.tool])(
    "%s is chosen once for each choice while the canvas loads; a second canvas does not choose a shape again",
    async (tool) => {
      let isUp = false;
      const { controller, canvases, fire } = createControllerBed({
        config: async () => {
          if (isUp) return CONFIG;
          throw new Error("down");
        },
      });
      controller.open(SURFACE);
      controller.setTool(tool);
      controller.setTool(tool);
      await settle();
      const addsShape = toolRow(tool).mode === "shape";
      // The canvas gets the former tool as well, unless choosing it would add a shape.
      expect(chosen(canvases[0], tool)).toBe(addsShape ? 2 : 3);
      isUp = true;
      fire();
      await settle();
      expect(canvases).toHaveLength(2);
      expect(chosen(canvases[1], tool)).toBe(addsShape ? 0 : 1);
    },
  );
});

describe("a peer's edit", () => {
  test("is an action, but the drawing at the start is not", async () => {
    const { controller, clients } = createControllerBed();
    const edits: string[] = [];
    controller.actions.listen((action) => {
      if (action.kind === "edit") edits.push(`${action.origin} ${action.changes.added.length}`);
    });
    controller.open(SURFACE);
    await settle();
    clients[0]!.receive({ added: objects(5) });
    clients[0]!.finishStart();
    await settle();
    clients[0]!.receive({ added: objects(2, 5) });
    clients[0]!.editor.add([{ type: "Rect" }]);
    expect(edits).toEqual(["remote 2", "local 1"]);
  });
});

describe("failures", () => {
  test("UI-49 without a configuration the page works on this device, asks again, and then joins its peers", async () => {
    let isUp = false;
    const { controller, clients, canvases, configs, faults, fire } = createControllerBed({
      config: async () => {
        if (isUp) return CONFIG;
        throw new Error("down");
      },
    });
    controller.open(SURFACE);
    await settle();
    expect(faults).toEqual(["the configuration could not be loaded; trying again"]);
    expect(configs[0]).toMatchObject({ supabaseUrl: "http://127.0.0.1:1", productName: "Inkpool" });
    controller.setTool("circle");
    canvases[0]!.options.editor.add([{ type: "Rect" }]);
    expect(canvases[0]!.shown()).toHaveLength(1);

    fire();
    await settle();
    expect(clients).toHaveLength(1);
    isUp = true;
    fire();
    await settle();
    expect(clients.map((client) => client.disposed)).toEqual([true, false]);
    expect(canvases.map((canvas) => canvas.disposed)).toEqual([true, false]);
    expect(configs[1]).toBe(CONFIG);
    expect(controller.productName.get()).toBe("Pond");
    // The second canvas must not add a second circle.
    expect(canvases[1]!.calls).not.toContain("tool circle");
  });

  test("code that does not arrive is shown and logged", async () => {
    const { controller, faults } = createControllerBed({
      canvas: () => Promise.reject(new Error("404")),
    });
    controller.open(SURFACE);
    await settle();
    expect(controller.progress.get()).toBe("failed");
    expect(faults).toEqual(["the canvas could not be opened"]);

    const second = createControllerBed({ syncClient: () => Promise.reject(new Error("404")) });
    second.controller.open(SURFACE);
    await settle();
    expect(second.controller.progress.get()).toBe("failed");
  });
});

describe("opening and closing", () => {
  test("a board that is closed before its code arrives makes nothing", async () => {
    const { controller, clients, canvases } = createControllerBed();
    controller.open(SURFACE)();
    await settle();
    expect([clients.length, canvases.length]).toEqual([0, 0]);
  });

  test("UI-21 a hundred openings leave one sync client, one canvas, and no listener behind", async () => {
    const { controller, clients, canvases, timers } = createControllerBed();
    for (let round = 0; round < 100; round += 1) {
      const close = controller.open(SURFACE);
      await settle();
      clients.at(-1)!.receive({ added: objects(1) });
      close();
    }
    controller.open(SURFACE);
    await settle();
    expect(clients).toHaveLength(101);
    expect(clients.filter((client) => !client.disposed)).toHaveLength(1);
    expect(canvases.filter((canvas) => !canvas.disposed)).toHaveLength(1);
    expect(clients.slice(0, -1).map((client) => client.listeners())).toEqual(
      Array.from({ length: 100 }, () => 0),
    );
    expect(timers.size).toBe(0);
  });
});

import { toast } from "sonner";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Author, BoardObject, ObjectId } from "../../../board/drawing.ts";
import { createControllerBed } from "../../../testing/page/controller-bed.ts";
import { FALSIFIED } from "../../canvas/pictures/read-back.ts";
import { fileName, runFileAction } from "./drawing-files.ts";
import { toFabricJson } from "../../formats/fabric-json.ts";

beforeEach(() => {
  toast.dismiss();
  vi.stubGlobal("requestAnimationFrame", () => undefined);
});
afterEach(() => vi.doUnmock("../../canvas/export/picture.ts"));

test("UI-52 the JSON of a drawing is Fabric's own, without our board's own properties", () => {
  const object: BoardObject = {
    ...{ type: "Rect", id: "aaa-1" as ObjectId, z: 4, left: 5, width: 10, fill: "#00ff00" },
    ...{ life: 2, stamps: { look: [3, "bbb" as Author] } },
  };
  expect(JSON.parse(toFabricJson({ objects: [object], background: "white" }))).toEqual({
    version: expect.stringMatching(/^7\./),
    objects: [{ type: "Rect", left: 5, width: 10, fill: "#00ff00" }],
    background: "white",
  });
});

test("UI-52 a file is named by product and day", () => {
  const day = new Date("2026-02-03T12:00:00Z");
  expect(fileName("Chalk & <Talk>", day)).toBe("Chalk Talk 2026-02-03");
  expect(fileName("板 1", day)).toBe("板 1 2026-02-03");
  expect(fileName("../..", day)).toBe("drawing 2026-02-03");
  expect(fileName("//", day)).toBe("drawing 2026-02-03");
});

test("UI-52 a file that is saved at night is named by the visitor's own day", () => {
  vi.stubEnv("TZ", "America/New_York");
  expect(fileName("Chalk", new Date("2026-02-04T04:30:00Z"))).toBe("Chalk 2026-02-03");
  vi.unstubAllEnvs();
});

test("UI-107 Copy picture says where a page cannot write to the clipboard, and leads to the download", async () => {
  vi.stubGlobal("navigator", {});
  const { controller } = createControllerBed();
  await runFileAction("Copy picture", controller);
  expect(toast.getToasts()).toMatchObject([
    { title: "The browser does not let this page copy a picture. Download it instead." },
  ]);
});

test("IMG-10 a notice says why no PNG is written where the browser falsifies pixels", async () => {
  vi.doMock("../../canvas/export/picture.ts", () => ({
    paintFile: () => Promise.reject(new Error(FALSIFIED)),
  }));
  vi.spyOn(console, "error").mockReturnValue();
  const { controller } = createControllerBed();
  await runFileAction("Download picture (PNG)", controller);
  expect(toast.getToasts()).toMatchObject([
    { title: "Download picture (PNG): the browser's protection against tracking would damage it" },
  ]);
});

test.each([
  [1.234, 123],
  [0.0987, 9.9],
  [0.00164, 0.16],
  [1e-7, 0.001],
])(
  "UI-170 a notice says at how many percent a picture shows the board: %s",
  async (scale, percent) => {
    const png = new Blob([new Uint8Array(24)]);
    vi.doMock("../../canvas/export/picture.ts", () => ({
      paintFile: () => Promise.resolve({ png, scale }),
    }));
    vi.stubGlobal("document", { createElement: () => ({ click: () => undefined }) });
    const { controller } = createControllerBed();
    await runFileAction("Download picture (PNG)", controller);
    expect(toast.getToasts().map((notice) => "title" in notice && notice.title)).toContain(
      `The drawing is large: the picture shows it at ${percent} %.`,
    );
  },
);

test("UI-78 the notice of an export is a new one each time, and replaces that of the export before", async () => {
  vi.stubGlobal("document", { createElement: () => ({ click: () => undefined }) });
  const { controller } = createControllerBed();
  const ids: unknown[] = [];
  for (let run = 0; run < 2; run++) {
    await runFileAction("Download drawing (JSON)", controller);
    const shown = toast.getToasts();
    expect(shown).toMatchObject([{ title: "Whole board, 0 objects" }]);
    ids.push(shown[0]?.id);
  }
  // One that is just fading would take a notice with the same id with it.
  expect(ids[1]).not.toBe(ids[0]);
});

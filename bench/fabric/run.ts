/**
 * Opens a drawing with everything that the tools make in plain Fabric 5, 6 and 7, and counts the pixels in which they
 * differ from Fabric 7's. The older versions are downloaded as packed files from the registry: nothing of them is
 * installed.
 *
 *   npx tsx bench/fabric/run.ts
 */

import { chromium, type Browser } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewObject } from "../../board/drawing.ts";
import { compactObject } from "../../board/compact-object.ts";
import { MORE_TOOLS, TOOLS } from "../../board/tools.ts";
import { BROWSER_ARGS, findBrowser } from "../../scripts/browser.mjs";
import { drawnStroke, SHAPE_KINDS } from "../../testing/strokes/strokes.ts";
import {
  eraserStyle,
  penStyle,
  shapeObject,
  textObject,
} from "../../web/canvas/input/new-objects.ts";
import { pathObject, strokeObject } from "../../web/canvas/input/stroke-object.ts";
import { PressureInk } from "../../web/canvas/painting/pressure-ink.ts";
import { straightFrom } from "../../web/canvas/recognition/held-shape.ts";
import { shapeOfStroke } from "../../web/canvas/recognition/recognize.ts";

const [WIDTH, HEIGHT] = [1200, 800];

/** Greatest difference of shades, of 255, by the smoothing of an edge. */
const SMOOTHING = 32;

/** The versions, and the file of each package that a script element loads. */
const VERSIONS = [
  ["5.5.2", "dist/fabric.min.js"],
  ["6.6.7", "dist/index.min.js"],
] as const;

/** Returns a drawing with everything; `picture`: the source of a picture of 200 x 100 pixels. */
function everything(picture: string): NewObject[] {
  const objects: (NewObject | null | undefined)[] = [];
  const choice = { color: "#ff6b6b", width: 6 };
  let y = 60;
  for (const row of [...TOOLS, ...MORE_TOOLS]) {
    const style = penStyle(row, choice);
    if (row.mode === "line" && style?.straight) {
      const held = straightFrom({ x: 60, y }, style.straight);
      held.moveTo({ x: 400, y: y + 40 });
      objects.push(pathObject(held.path, style));
    } else if (style && row.mode === "freehand" && row.pen.look !== "fading") {
      const points = Array.from({ length: 120 }, (_, i) =>
        i % 2 === 0 ? 60 + 3 * i : y + 30 * Math.sin(i / 9),
      );
      objects.push(strokeObject(points, style));
    } else objects.push(shapeObject(row, "#4ecdc4"));
    y += 50;
  }
  for (const [i, kind] of SHAPE_KINDS.entries()) {
    const points = drawnStroke(kind, 3 + i).flatMap(({ x, y: down }) => [x, down]);
    const shape = shapeOfStroke(points);
    const style = { color: "#45b7d1", width: 3, eraser: false };
    objects.push(shape && pathObject(shape.path, style), strokeObject(points, style));
  }
  const eraser = eraserStyle();
  if (eraser) objects.push(strokeObject([700, 100, 800, 300, 900, 700], eraser));
  objects.push({ ...textObject({ x: 620, y: 60 }, "#000000"), text: "Hello" });
  const pressed = new PressureInk("#9b59b6", 12);
  for (let i = 0; i < 60; i++) pressed.add(620 + 8 * i, 500 + 40 * Math.sin(i / 6), 1, i / 60);
  pressed.finish();
  objects.push(pathObject(pressed.outline, { color: "#9b59b6", width: 12, eraser: false }, true));
  objects.push({
    ...{ type: "Image", src: picture, width: 200, height: 100, alt: "red" },
    ...{
      originX: "left",
      originY: "top",
      left: 900,
      top: 40,
      scaleX: 1.25,
      scaleY: 1.25,
      angle: 10,
    },
  });
  return objects.flatMap((object) => (object ? compactObject(object) : []));
}

async function makePicture(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  const source = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [200, 100];
    const context = canvas.getContext("2d")!;
    const colors = context.createLinearGradient(0, 0, 200, 100);
    colors.addColorStop(0, "red");
    colors.addColorStop(1, "blue");
    context.fillStyle = colors;
    context.fillRect(0, 0, 200, 100);
    return canvas.toDataURL("image/webp", 0.85);
  });
  await page.close();
  return source;
}

/** The used part of Fabric's page build, alike in all versions except for the promise. */
interface PlainFabric {
  readonly version: string;
  readonly StaticCanvas: new (
    element: HTMLCanvasElement,
    options: object,
  ) => {
    loadFromJSON(json: unknown, done?: () => void): object | undefined;
    renderAll(): void;
    getObjects(): unknown[];
  };
  readonly Object?: { prototype: { objectCaching: boolean } };
  readonly FabricObject?: { ownDefaults: { objectCaching: boolean } };
}

interface Shown {
  readonly version: string;
  readonly count: number;
  readonly pixels: number[];
}

async function show(
  browser: Browser,
  script: string,
  objects: readonly NewObject[],
): Promise<Shown> {
  const page = await browser.newPage();
  await page.setContent('<canvas id="plain"></canvas>');
  await page.addScriptTag({ content: script });
  const shown = await page.evaluate(
    async ({ drawn, width, height }) => {
      const { fabric } = window as unknown as { fabric: PlainFabric };
      // Its cache canvases are scaled pictures, softer than the object itself.
      if (fabric.FabricObject) fabric.FabricObject.ownDefaults.objectCaching = false;
      else if (fabric.Object) fabric.Object.prototype.objectCaching = false;
      const element = document.querySelector("canvas") as HTMLCanvasElement;
      const canvas = new fabric.StaticCanvas(element, { width, height });
      const json = { version: "7.4.0", objects: drawn, background: "white" };
      await new Promise<void>((resolve) => {
        const loaded = canvas.loadFromJSON(
          json,
          fabric.version < "6" ? () => resolve() : undefined,
        );
        if (loaded instanceof Promise) void loaded.then(() => resolve());
      });
      canvas.renderAll();
      const { data } = element.getContext("2d")!.getImageData(0, 0, width, height);
      return { version: fabric.version, count: canvas.getObjects().length, pixels: [...data] };
    },
    { drawn: objects as unknown[], width: WIDTH, height: HEIGHT },
  );
  await page.close();
  return shown;
}

function differing(a: readonly number[], b: readonly number[], by: number): number {
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    const isOther = [0, 1, 2].some((n) => Math.abs((a[i + n] ?? 0) - (b[i + n] ?? 0)) > by);
    if (isOther) count++;
  }
  return count;
}

/** Returns the text of one file of a published package. */
function published(version: string, file: string): string {
  const folder = mkdtempSync(join(tmpdir(), "fabric-"));
  try {
    const tarball = execFileSync("npm", ["pack", `fabric@${version}`, "--silent"], {
      cwd: folder,
      encoding: "utf8",
    }).trim();
    execFileSync("tar", ["-xzf", tarball, `package/${file}`], { cwd: folder });
    return readFileSync(join(folder, "package", file), "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const executablePath = await findBrowser();
const browser = await chromium.launch({
  args: [...BROWSER_ARGS],
  ...(executablePath === null ? {} : { executablePath }),
});
try {
  const objects = everything(await makePicture(browser));
  const own = readFileSync(new URL("../../node_modules/fabric/dist/index.min.js", import.meta.url));
  const seven = await show(browser, own.toString(), objects);
  console.log(`Fabric ${seven.version}: ${seven.count} of ${objects.length} objects`);
  let isSame = seven.count === objects.length;
  for (const [version, file] of VERSIONS) {
    const older = await show(browser, published(version, file), objects);
    const wrong = differing(seven.pixels, older.pixels, SMOOTHING);
    console.log(
      `Fabric ${older.version}: ${older.count} objects, ${wrong} of ${WIDTH * HEIGHT} pixels differ by more than ${SMOOTHING} of 255`,
    );
    isSame &&= older.count === objects.length && wrong <= (WIDTH * HEIGHT) / 800;
  }
  process.exitCode = isSame ? 0 : 1;
} finally {
  await browser.close();
}

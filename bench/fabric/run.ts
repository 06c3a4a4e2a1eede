/**
 * Draws with everything that the page has, in the built product, and opens what it saved in plain Fabric 5, 6 and 7:
 * how many pixels differ from Fabric 7's, and how many of Fabric 7's from what the page itself shows. The older versions
 * come as packed files from the registry: nothing of them is installed. Needs a built product.
 *
 *   npx tsx bench/fabric/run.ts
 */

import type { Browser } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProduct } from "../../lab/measuring/product.ts";
import { isSaved, launch } from "../canvas/session.ts";
import { DRAWN, drawEverything, preparePage } from "./draw.ts";
import { differing, HEIGHT, SMOOTHING, untilStill, WIDTH } from "./pixels.ts";
import { type SavedObject, untilSaved } from "./saved.ts";

/** The page around the board is higher than the board. */
const VIEWPORT = { width: 1280, height: 900 };

/** Versions, and the file of each package that a script element loads. */
const VERSIONS = [
  ["5.5.2", "dist/fabric.min.js"],
  ["6.6.7", "dist/index.min.js"],
] as const;

interface Drawing {
  readonly objects: readonly SavedObject[];
  /** The pixels of the page's own canvas. */
  readonly pixels: Uint8Array;
}

/** Has the page of a product of its own draw and save everything. */
async function drawn(browser: Browser): Promise<Drawing> {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-fabric-"));
  const product = await startProduct(folder);
  try {
    const page = await browser.newPage({ viewport: VIEWPORT });
    await preparePage(page);
    await page.goto(product.url);
    await isSaved(page);
    await drawEverything(page);
    const { objects } = await untilSaved(product.url, ({ length }) => length === DRAWN);
    // The board as it is saved, without what is selected or on its way.
    await page.reload();
    await isSaved(page);
    const pixels = await untilStill(page);
    await page.close();
    return { objects, pixels };
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The part of Fabric's page build that is used, alike in all versions but for the promise. */
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
  readonly pixels: Uint8Array;
}

async function show(
  browser: Browser,
  script: string,
  objects: readonly SavedObject[],
): Promise<Shown> {
  const page = await browser.newPage();
  await page.setContent('<canvas id="plain"></canvas>');
  await page.addScriptTag({ content: script });
  const shown = await page.evaluate(
    async ({ saved, width, height }) => {
      const { fabric } = window as unknown as { fabric: PlainFabric };
      // Its cache canvases are scaled pictures, softer than the object itself.
      if (fabric.FabricObject) fabric.FabricObject.ownDefaults.objectCaching = false;
      else if (fabric.Object) fabric.Object.prototype.objectCaching = false;
      const element = document.querySelector("canvas") as HTMLCanvasElement;
      const canvas = new fabric.StaticCanvas(element, { width, height });
      const json = { version: "7.4.0", objects: saved, background: "white" };
      await new Promise<void>((resolve) => {
        const loaded = canvas.loadFromJSON(
          json,
          fabric.version < "6" ? () => resolve() : undefined,
        );
        if (loaded instanceof Promise) void loaded.then(() => resolve());
      });
      canvas.renderAll();
      return { version: fabric.version, count: canvas.getObjects().length };
    },
    { saved: objects as unknown[], width: WIDTH, height: HEIGHT },
  );
  const pixels = await untilStill(page, "#plain");
  await page.close();
  return { ...shown, pixels };
}

/** The text of one file of a published package. */
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

const browser = await launch();
try {
  const { objects, pixels } = await drawn(browser);
  const own = readFileSync(new URL("../../node_modules/fabric/dist/index.min.js", import.meta.url));
  const seven = await show(browser, own.toString(), objects);
  const isGood = (one: Shown, wrong: number) =>
    one.count === objects.length && wrong <= (WIDTH * HEIGHT) / 800;
  const report = (one: Shown, wrong: number, than: string) =>
    console.log(
      `Fabric ${one.version}: ${one.count} of ${objects.length} objects, ${wrong} of ${WIDTH * HEIGHT} pixels differ from ${than} by more than ${SMOOTHING} of 255`,
    );
  const ofPage = differing(pixels, seven.pixels);
  report(seven, ofPage, "the page's");
  let isSame = isGood(seven, ofPage);
  for (const [version, file] of VERSIONS) {
    const older = await show(browser, published(version, file), objects);
    const wrong = differing(seven.pixels, older.pixels);
    report(older, wrong, `Fabric ${seven.version}'s`);
    isSame &&= isGood(older, wrong);
  }
  process.exitCode = isSame ? 0 : 1;
} finally {
  await browser.close();
}

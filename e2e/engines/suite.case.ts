/**
 * Runs the same steps in every engine: a visitor's actions, by real pointers and keys, against the compiled product,
 * with a console that stays empty.
 */

import { expect } from "@playwright/test";

import { expectedPixels, storeNextFile, largeBoard, wrongPixels } from "./large-board.ts";
import type { Engine } from "./tab.ts";
import { Visitor } from "./visitor.ts";
import { connectionSteps } from "./connection.case.ts";
import { partnerSteps } from "./partner.case.ts";
import { drawingSteps } from "./drawing.case.ts";
import { pictureSteps } from "./pictures.case.ts";
import { BLACK, configRequests, GREEN, LONGER, objectsOf, RED, stepsOf, WHITE } from "./steps.ts";
import { inSteps } from "../in-steps.ts";

/** Defines the steps for an engine; they are skipped where the machine lacks it. */
export function suite(engine: Engine): void {
  const missing = engine.missing();
  const test = stepsOf(engine);
  test.skip(missing !== null, missing ?? "");

  test(`${engine.name}: problems on the console are noticed`, async ({ alone, product }) => {
    const tab = await alone.open();
    await tab.goto(`${product.url}/favicon.svg`);
    await tab.evaluate(() => {
      console.error("a word");
      console.warn("a warning");
      setTimeout(() => {
        throw new Error("a fault");
      });
    });
    for (const text of ["a word", "a warning", "a fault"])
      await expect.poll(async () => (await tab.problems()).join()).toContain(text);
    await tab.close();
  });

  test(`${engine.name}: the page and its view`, async ({ visitor }) => {
    await inSteps({
      "the page loads": async () => {
        expect(await visitor.text("h1")).toBe("Inkpool");
        await visitor.sees("1 user online");
      },
      "the wheel, the middle button and keys move the view": async () => {
        await visitor.press("Green");
        await visitor.press("Rectangle");
        await visitor.sees("Zoom: 100 %");
        await visitor.move([700, 400]);
        await visitor.tab.wheel("up", "Control");
        await visitor.sees("Zoom: 127 %");
        await visitor.tab.press("Shift+Digit0");
        await visitor.sees("Zoom: 100 %");
        await visitor.tab.press("=");
        await visitor.sees("Zoom: 125 %");
        await visitor.tab.press("Shift+Digit0");
        await visitor.shows([150, 190], GREEN);
        await visitor.tab.wheel("down");
        await visitor.shows([150, 190], WHITE);
        await visitor.tab.press("Shift+Digit0");
        await visitor.shows([150, 190], GREEN);
        await visitor.move([700, 400]);
        await visitor.tab.down("middle");
        await visitor.move([750, 430]);
        await visitor.move([800, 450]);
        await visitor.tab.up("middle");
        await visitor.shows([340, 240], GREEN);
        await visitor.shows([150, 110], WHITE);
      },
      "the middle button pastes nothing": async () => {
        await visitor.press("Select");
        await visitor.tab.press("Control+a");
        await visitor.sees("Duplicate");
        await visitor.tab.press("Control+c");
        await visitor.tab.evaluate(() => {
          const types: string[] = [];
          Object.assign(window, { types });
          for (const name of ["auxclick", "paste"])
            addEventListener(name, ({ type }) => void types.push(type), { capture: true });
        });
        await visitor.move([700, 400]);
        await visitor.tab.down("middle");
        await visitor.tab.up("middle");
        await expect
          .poll(() => visitor.tab.evaluate(() => (window as { types?: string[] }).types))
          .toEqual(["auxclick"]);
      },
      Dark: async () => {
        const look = () =>
          visitor.tab.evaluate(() => ({
            header: getComputedStyle(document.querySelector("header")!).backgroundColor,
            scrollbar: getComputedStyle(document.documentElement).scrollbarColor,
          }));
        await visitor.chooseFromMenu("Appearance", "Light");
        const light = await look();
        await visitor.tab.press("Escape");
        await visitor.chooseFromMenu("Appearance", "Dark");
        await expect.poll(async () => (await look()).header).not.toBe(light.header);
        // WebKit's scrollbars have no colour of their own.
        if (engine.name !== "webkit")
          await expect.poll(async () => (await look()).scrollbar).not.toBe(light.scrollbar);
        await visitor.press("System");
        await visitor.tab.press("Escape");
      },
    });
  });

  test(`${engine.name}: objects are drawn, changed and removed`, async ({ visitor, product }) => {
    await inSteps({
      "strokes, undo and redo": async () => {
        await visitor.stroke([200, 200], [400, 200]);
        await visitor.shows([300, 200], BLACK);
        await visitor.press("Red");
        await visitor.stroke([200, 300], [400, 300]);
        await visitor.shows([300, 300], RED);
        await visitor.tab.press("Control+z");
        await visitor.shows([300, 300], WHITE);
        await visitor.shows([300, 200], BLACK);
        await visitor.tab.press("Control+Shift+z");
        await visitor.shows([300, 300], RED);
        await visitor.saved();
        expect(await objectsOf(product)).toMatchObject([{ type: "Path" }, { stroke: RED }]);
      },
      "shapes, a sticker and the eraser": async () => {
        await visitor.clear();
        await visitor.press("Green");
        await visitor.press("Rectangle");
        await visitor.shows([240, 190], GREEN);
        await visitor.press("Red");
        await visitor.press("Circle");
        await visitor.shows([175, 175], RED);
        await visitor.press("Eraser");
        await visitor.stroke([150, 175], [230, 175]);
        await visitor.shows([175, 175], WHITE);
        await visitor.sticker("rocket");
        await visitor.saved();
        expect(await objectsOf(product)).toMatchObject([
          { type: "Rect", width: 150, height: 100, left: 100, top: 100, fill: GREEN },
          { type: "Circle", radius: 75, left: 100, top: 100, fill: RED },
          { type: "Path", eraser: true, strokeWidth: 20 },
          { type: "IText", text: "🚀", fontSize: 60, left: 100, top: 100 },
        ]);
      },
      "select, move, recolour and remove": async () => {
        await visitor.clear();
        await visitor.press("Green");
        await visitor.press("Rectangle");
        await visitor.shows([150, 150], GREEN);
        await visitor.press("Select");
        await visitor.click([220, 170]);
        await visitor.sees("Duplicate");
        await visitor.stroke([150, 150], [450, 250]);
        await visitor.shows([450, 250], GREEN);
        await visitor.shows([150, 150], WHITE);
        await visitor.press("Colour");
        // The dock has a Teal too.
        await visitor.press("Teal", '[aria-label="Selection colour"]');
        await visitor.shows([450, 250], "#4ecdc4");
        await visitor.tab.press("Escape");
        await visitor.saved();
        expect(await objectsOf(product)).toMatchObject([{ left: 400, top: 200, fill: "#4ecdc4" }]);
        await visitor.click([450, 250]);
        await visitor.press("Delete");
        await visitor.shows([450, 250], WHITE);
        await visitor.saved();
        expect(await objectsOf(product)).toEqual([]);
      },
      "copy and paste by keys": async () => {
        await visitor.clear();
        await visitor.press("Green");
        await visitor.press("Rectangle");
        await visitor.press("Select");
        await visitor.click([150, 150]);
        await visitor.sees("Duplicate");
        await visitor.tab.press("Control+c");
        await visitor.rest([600, 400]);
        await visitor.tab.press("Control+v");
        await visitor.shows([600, 400], GREEN);
        await visitor.shows([150, 150], GREEN);
        await visitor.saved();
        expect(await objectsOf(product)).toMatchObject([{ type: "Rect" }, { type: "Rect" }]);
      },
    });
  });

  test(`${engine.name}: texts are written, and a reload shows the drawing`, async ({
    visitor,
    product,
  }) => {
    await inSteps({
      "a text, with capitals": async () => {
        await visitor.click([20, 500]);
        await visitor.tab.press("Control+z");
        await visitor.rest([300, 200]);
        await visitor.tab.press("t");
        await expect.poll(() => focused(visitor)).toBe("TEXTAREA");
        const start = await caretX(visitor);
        await visitor.tab.type("Hello World");
        await expect.poll(() => caretX(visitor)).toBeGreaterThan(start + 80);
        // The browser moves the caret to the left by words, and Fabric paints it there.
        await visitor.tab.press("Control+ArrowLeft");
        await expect.poll(() => caretX(visitor)).toBeLessThan(start + 80);
        await visitor.tab.press("Control+ArrowLeft");
        await expect.poll(() => caretX(visitor)).toBe(start);
        await visitor.tab.type("Oh ");
        await visitor.tab.press("Escape");
        await expect.poll(() => focused(visitor)).not.toBe("TEXTAREA");
        await visitor.saved();
        expect(await objectsOf(product)).toMatchObject([{ type: "IText", text: "Oh Hello World" }]);
      },
      "a text from right to left": async () => {
        await visitor.clear();
        await visitor.rest([300, 200]);
        await visitor.tab.press("t");
        await expect.poll(() => focused(visitor)).toBe("TEXTAREA");
        const start = await caretX(visitor);
        await visitor.tab.evaluate(() => document.execCommand("insertText", false, "שלום"));
        await expect.poll(() => caretX(visitor)).toBeLessThan(start - 30);
        await visitor.tab.press("ArrowRight");
        await visitor.tab.type("X");
        await expect.poll(() => fieldText(visitor)).toBe("שלוXם");
        await visitor.click([297, 200]);
        // A key that follows a press within milliseconds may arrive before it (WebKit).
        await expect.poll(() => caretX(visitor)).toBeGreaterThan(start - 5);
        await expect.poll(() => focused(visitor)).toBe("TEXTAREA");
        await visitor.tab.type("1");
        await expect.poll(() => fieldText(visitor)).toBe("1שלוXם");
        await visitor.tab.press("Escape");
        await visitor.saved();
        expect(await objectsOf(product)).toMatchObject([
          { text: "1שלוXם", direction: "rtl", originX: "right", left: 300 },
        ]);
      },
      "a reload shows the drawing, and asks once for the configuration": async () => {
        await visitor.clear();
        await visitor.press("Draw");
        await visitor.press("Red");
        await visitor.stroke([200, 200], [400, 200]);
        await visitor.saved();
        const before = await configRequests(product);
        await visitor.tab.reload();
        await visitor.ready();
        await visitor.shows([300, 200], RED);
        const requests = (await configRequests(product)) - before;
        expect(requests, "requests for the configuration").toBe(1);
      },
    });
  });

  partnerSteps(engine, test);
  drawingSteps(engine, test);
  pictureSteps(engine, test);
  connectionSteps(engine, test);

  test(`${engine.name}: the picture of a large board shows every object`, async ({
    product,
    alone,
  }) => {
    await product.seed(largeBoard());
    const visitor = new Visitor(await alone.open());
    await visitor.open(product.url);
    await visitor.tab.evaluate(storeNextFile);
    await visitor.chooseFromMenu("Download picture (PNG)");
    await expect
      .poll(() => visitor.tab.evaluate(wrongPixels, expectedPixels()), LONGER)
      .toEqual({ size: [3560, 2680], wrong: [] });
    await visitor.tab.close();
  });
}

function focused({ tab }: Visitor): Promise<string | undefined> {
  return tab.evaluate(() => document.activeElement?.tagName);
}

/** Returns the words in the field of the text that is being written. */
function fieldText({ tab }: Visitor): Promise<string | undefined> {
  return tab.evaluate(() => document.querySelector("textarea")?.value);
}

/** Returns the position of the painted caret, in pixels of the window: the field moves with it. */
function caretX({ tab }: Visitor): Promise<number> {
  return tab.evaluate(() =>
    Number.parseFloat(document.querySelector("textarea")?.style.left ?? "NaN"),
  );
}

/**
 * Runs the same steps in every engine: a visitor's actions, by real pointers and keys, against the compiled product,
 * with a console that stays empty.
 */

import { expect } from "@playwright/test";

import { expectedPixels, storeNextFile, largeBoard, wrongPixels } from "./large-board.ts";
import type { Engine } from "./tab.ts";
import { Visitor } from "./visitor.ts";
import { connectionSteps } from "./connection.case.ts";
import { drawingSteps } from "./drawing.case.ts";
import { pictureSteps } from "./pictures.case.ts";
import { BLACK, GREEN, LONGER, objectsOf, RED, stepsOf, WHITE } from "./steps.ts";

/** Defines the steps for an engine; they are skipped where the machine lacks it. */
export function suite(engine: Engine): void {
  const missing = engine.missing();
  const test = stepsOf(engine);
  test.skip(missing !== null, missing ?? "");

  test(`${engine.name}: the page loads`, async ({ visitor }) => {
    expect(await visitor.text("h1")).toBe("Inkpool");
    await visitor.sees("1 user online");
  });

  test(`${engine.name}: problems on the console are noticed`, async ({ own, product }) => {
    const tab = await own.open();
    await tab.goto(product.url);
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

  test(`${engine.name}: strokes, undo and redo`, async ({ visitor, product }) => {
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
  });

  test(`${engine.name}: shapes, a sticker and the eraser`, async ({ visitor, product }) => {
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
  });

  test(`${engine.name}: select, move, recolour and remove`, async ({ visitor, product }) => {
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
  });

  test(`${engine.name}: a line, an arrow, the highlighter and fading ink`, async ({
    visitor,
    partner,
    product,
  }) => {
    for (const person of [visitor, partner]) await person.sees("2 users online");
    await visitor.press("Red");
    for (const [at, key] of ["l", "a", "h"].entries()) {
      await visitor.rest([200, 200]);
      await visitor.tab.press(key);
      await visitor.stroke([200, 200 + at * 80], [500, 200 + at * 80]);
    }
    for (const person of [visitor, partner]) {
      await person.shows([300, 200], RED);
      await person.shows([300, 280], RED);
      // It is 0.4 of the colour, on white.
      await person.shows([300, 368], "#ff9999");
    }
    await visitor.tab.press("f");
    await visitor.beginStroke([200, 440], [500, 440]);
    for (const person of [visitor, partner]) await person.shows([300, 440], RED, "all");
    await visitor.release();
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([
      { type: "Path", strokeWidth: 3 },
      { type: "Path", strokeWidth: 3 },
      { type: "Path", strokeWidth: 20, globalCompositeOperation: "multiply" },
    ]);
  });

  test(`${engine.name}: ink of a finger or a pen becomes a line when it rests, for both`, async ({
    visitor,
    partner,
    product,
  }) => {
    for (const person of [visitor, partner]) await person.sees("2 users online");
    await visitor.press("Red");
    await visitor.beginTouch([200, 200], [350, 208], [500, 200]);
    // The ink was 4 px away from there; the partner sees the ink until the end.
    await visitor.shows([275, 200], RED, "all");
    await partner.shows([275, 204], RED, "all");
    await visitor.tab.contact.up();
    for (const person of [visitor, partner]) {
      await person.shows([275, 200], RED);
      await person.shows([275, 204], WHITE);
    }
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([{ type: "Path", stroke: RED, strokeWidth: 3 }]);
  });

  test(`${engine.name}: a picture that is dropped is shown to both`, async ({
    visitor,
    partner,
    product,
  }) => {
    for (const person of [visitor, partner]) await person.sees("2 users online");
    await visitor.tab.evaluate(dropPicture);
    for (const person of [visitor, partner]) await person.shows([700, 400], BLACK);
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([
      { type: "Image", src: expect.stringMatching(/^data:image\/(webp|jpeg);base64,/) },
    ]);
  });

  test(`${engine.name}: a text, with capitals`, async ({ visitor, product }) => {
    await visitor.click([20, 600]);
    await visitor.tab.press("Control+z");
    await visitor.rest([300, 200]);
    await visitor.tab.press("t");
    await expect.poll(() => focused(visitor)).toBe("TEXTAREA");
    const start = await caretX(visitor);
    await visitor.tab.type("Hello World");
    await expect.poll(() => caretX(visitor)).toBeGreaterThan(start + 60);
    // The browser moves the caret to the left by words, and Fabric paints it there.
    await visitor.tab.press("Control+ArrowLeft");
    await expect.poll(() => caretX(visitor)).toBeLessThan(start + 60);
    await visitor.tab.press("Control+ArrowLeft");
    await expect.poll(() => caretX(visitor)).toBe(start);
    await visitor.tab.type("Oh ");
    await visitor.tab.press("Escape");
    await expect.poll(() => focused(visitor)).not.toBe("TEXTAREA");
    await visitor.saved();
    expect(await objectsOf(product)).toMatchObject([{ type: "IText", text: "Oh Hello World" }]);
  });

  test(`${engine.name}: a text from right to left`, async ({ visitor, product }) => {
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
  });

  connectionSteps(engine, test);
  drawingSteps(engine, test);
  pictureSteps(engine, test);

  test(`${engine.name}: the picture of a large board shows every object`, async ({
    product,
    own,
  }) => {
    await product.seed(largeBoard());
    const visitor = new Visitor(await own.open());
    await visitor.open(product.url);
    await visitor.tab.evaluate(storeNextFile);
    await visitor.chooseFromMenu("Download picture (PNG)");
    await expect
      .poll(() => visitor.tab.evaluate(wrongPixels, expectedPixels()), LONGER)
      .toEqual({ size: [3560, 2680], wrong: [] });
    await visitor.tab.close();
  });

  test(`${engine.name}: copy and paste of objects by keys`, async ({ visitor, product }) => {
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
  });

  test(`${engine.name}: the wheel, the middle button and keys move the view`, async ({
    visitor,
  }) => {
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
  });

  test(`${engine.name}: Dark`, async ({ visitor }) => {
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
  });
}

/** Drops a black picture on the canvas; runs in the page. */
async function dropPicture(): Promise<void> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [200, 100];
  const context = canvas.getContext("2d")!;
  context.fillRect(0, 0, 200, 100);
  const blob = await new Promise<Blob>((resolve) => canvas.toBlob((made) => resolve(made!)));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([blob], "black.png", { type: "image/png" }));
  const surface = document.querySelector("[role=application]")!;
  const { left, top } = surface.getBoundingClientRect();
  const at = { clientX: left + 700, clientY: top + 400, bubbles: true, cancelable: true };
  surface.dispatchEvent(new DragEvent("drop", { dataTransfer, ...at }));
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

/** Exports the drawing, or the selected part of it: to a file, to the clipboard, or to paper. */

import { toast } from "sonner";
import type { Drawing } from "../../../board/drawing.ts";
import { FALSIFIED } from "../../canvas/pictures/read-back.ts";
import { createSlices, runToEnd } from "../../canvas/scheduling/slices.ts";
import type { Controller } from "../controller/controller.ts";
import { shownDrawing } from "../controller/shown-drawing.ts";
import { fabricJsonParts } from "../../formats/fabric-json.ts";
import { runWork } from "./work.ts";
import { formatNumber, plural, t } from "../language/text.ts";
import { only } from "../kit/only-toast.ts";

/** The actions on the drawing, by their names in the menu: with the whole board, or with the selection. */
export const FILE_ACTIONS = {
  "Download picture (PNG)": { run: downloadPicture, part: "board" },
  "Download drawing (SVG)": { run: downloadSvg, part: "board" },
  "Download drawing (JSON)": { run: downloadJson, part: "board" },
  "Copy picture": { run: copyPicture, part: "board" },
  Print: { run: printPicture, part: "board" },
  "Download selection (PNG)": { run: downloadPicture, part: "selection" },
  "Download selection (SVG)": { run: downloadSvg, part: "selection" },
  "Download selection (JSON)": { run: downloadJson, part: "selection" },
  "Copy selection as picture": { run: copyPicture, part: "selection" },
  "Print selection": { run: printPicture, part: "selection" },
} as const;

/** The name of an item of the menu. */
export type FileAction = keyof typeof FILE_ACTIONS;

interface Source extends Pick<Drawing, "objects" | "background"> {
  readonly part: "board" | "selection";
}

const EMPTY = "There is nothing on the board yet.";
const NO_CLIPBOARD = "The browser does not let this page copy a picture. Download it instead.";
const FAILED = "That did not work. Please try again.";

/**
 * The notices of the last action, which the next one removes. It shows new ones: a notice that is just fading would take
 * one with the same id with it.
 */
const said: (string | number)[] = [];

/** Runs one of the actions. Never rejects: a notice shows any failure. */
export async function runFileAction(name: FileAction, controller: Controller): Promise<void> {
  const file = fileName(controller.productName.get());
  for (const id of said.splice(0)) toast.dismiss(id);
  try {
    const { run, part } = FILE_ACTIONS[name];
    const source: Source =
      part === "board"
        ? { ...shownDrawing(controller, "board"), part }
        : { ...shownDrawing(controller), part };
    await runWork(t(name), controller.startTimer, (signal) => run(source, file, signal));
  } catch (error) {
    console.error(`${name}:`, error);
    const isFalsified = error instanceof Error && error.message === FALSIFIED;
    toast.error(isFalsified ? `${t(name)}: ${t(FALSIFIED)}` : t(FAILED), only(FAILED));
  }
}

/** A file's name without its extension: the product's name and the visitor's day. */
export function fileName(productName: string, now = new Date()): string {
  const words = productName.match(/[\p{L}\p{N}_-]+/gu) ?? ["drawing"];
  // Swedish writes a date as ISO 8601 does.
  return `${words.join(" ")} ${now.toLocaleDateString("sv")}`;
}

async function downloadJson(source: Source, name: string, signal: AbortSignal): Promise<void> {
  const parts = await runToEnd(fabricJsonParts(source), createSlices(signal));
  if (!parts) return;
  save(new Blob(parts, { type: "application/json" }), `${name}.json`);
  sayDone(contentLabel(source));
}

async function downloadSvg(source: Source, name: string, signal: AbortSignal): Promise<void> {
  const { drawingToSvg } = await import("../../canvas/export/svg.ts");
  const svg = await drawingToSvg(source, signal);
  if (svg === null) return signal.aborted ? undefined : sayEmpty();
  save(svg, `${name}.svg`);
  sayDone(contentLabel(source));
}

async function downloadPicture(source: Source, name: string, signal: AbortSignal): Promise<void> {
  const png = await paintPng(source, signal);
  if (!png) return;
  save(png, `${name}.png`);
  sayDone(await pictureLabel(source, png));
}

async function copyPicture(source: Source, _name: string, signal: AbortSignal): Promise<void> {
  // Not every browser has it, and none does without a secure connection.
  const { clipboard } = navigator as { readonly clipboard?: Partial<Clipboard> };
  const refuse = (): void => void toast.error(t(NO_CLIPBOARD), only(NO_CLIPBOARD));
  if (!clipboard?.write) return refuse();
  const painting = paintPng(source, signal);
  const png = painting.then((blob) => blob ?? Promise.reject(new Error("no picture")));
  png.catch(() => undefined);
  // It is written before it is painted, since WebKit lets a page write only during the press.
  const written = clipboard.write([new ClipboardItem({ "image/png": png })]).then(
    () => true,
    () => false,
  );
  const painted = await painting;
  if (!painted) return;
  if (!(await written)) return refuse();
  const picture = await pictureLabel(source, painted);
  sayDone(t("The picture is on the clipboard. {picture}", { picture }));
}

/** Removes the last picture that was to be printed: a browser that ignores `print` reports no end of it. */
let endPrint = (): void => undefined;

async function printPicture(source: Source, _name: string, signal: AbortSignal): Promise<void> {
  const png = await paintPng(source, signal);
  if (!png) return;
  endPrint();
  const picture = new Image();
  picture.className = "print-picture";
  picture.alt = "";
  picture.src = URL.createObjectURL(png);
  document.body.append(picture);
  const end = (): void => {
    URL.revokeObjectURL(picture.src);
    picture.remove();
  };
  endPrint = end;
  try {
    await picture.decode();
    window.addEventListener("afterprint", end, { once: true });
    window.print();
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * Returns the PNG; undefined when there is nothing to see, or the work has to end. A notice reports that there is
 * nothing to see, or that the picture is smaller than usual.
 */
async function paintPng(source: Source, signal: AbortSignal): Promise<Blob | undefined> {
  const { paintFile } = await import("../../canvas/export/picture.ts");
  const painted = await paintFile(source, signal);
  if (!painted) {
    if (!signal.aborted) sayEmpty();
    return undefined;
  }
  const { png, scale } = painted;
  if (signal.aborted) return undefined;
  if (scale < 2) {
    const percent = percentOf(scale);
    said.push(toast(t("The drawing is large: the picture shows it at {percent} %.", { percent })));
  }
  return png;
}

/** Returns a scale in percent, with two digits below 10 %: 0.16. */
function percentOf(scale: number): number {
  const percent = 100 * scale;
  return percent < 10 ? Math.max(0.001, Number(percent.toPrecision(2))) : Math.round(percent);
}

/** Returns a label such as "Whole board, 12 objects". */
function contentLabel({ part, objects: { length } }: Source): string {
  return part === "board"
    ? plural(length, "Whole board, 1 object", "Whole board, {count} objects")
    : plural(length, "Selection, 1 object", "Selection, {count} objects");
}

/**
 * Returns a label such as "Whole board, 2,400 x 1,600". These are the pixels of the file, which the header of a PNG
 * contains in its bytes 16 to 23.
 */
async function pictureLabel({ part }: Source, png: Blob): Promise<string> {
  const header = new DataView(await png.slice(16, 24).arrayBuffer());
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  const size = `${formatNumber(width)} x ${formatNumber(height)}`;
  return part === "board" ? t("Whole board, {size}", { size }) : t("Selection, {size}", { size });
}

function sayDone(text: string): void {
  said.push(toast.success(text));
}

function sayEmpty(): void {
  toast(t(EMPTY), only(EMPTY));
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

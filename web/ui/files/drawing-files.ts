/** Takes the drawing, or what is selected of it, out of the page: as a file, onto the clipboard, onto paper. */

import { toast } from "sonner";
import type { Drawing } from "../../../board/drawing.ts";
import { createSlices, finish } from "../../canvas/scheduling/slices.ts";
import type { Controller } from "../controller/controller.ts";
import { fabricJsonParts } from "../../formats/fabric-json.ts";
import { runWork } from "./work.ts";

/** What can be done with the drawing, by the menu's names. */
export const FILE_ACTIONS = {
  "Download picture (PNG)": downloadPicture,
  "Download drawing (SVG)": downloadSvg,
  "Download drawing (JSON)": downloadJson,
  "Copy picture": copyPicture,
  Print: printPicture,
} as const;

/** The name of an item of the menu. */
export type FileAction = keyof typeof FILE_ACTIONS;

type Source = Pick<Drawing, "objects" | "background">;

const EMPTY = "There is nothing on the board yet.";
const FAILED = "That did not work. Please try again.";

/** Runs what one of the actions does. Never rejects: a notice says what went wrong. */
export async function runFileAction(name: FileAction, controller: Controller): Promise<void> {
  const file = fileName(controller.productName.get());
  try {
    await runWork(name, controller.later, (signal) =>
      FILE_ACTIONS[name](controller.drawing(), file, signal),
    );
  } catch (error) {
    console.error(`${name}:`, error);
    toast.error(FAILED, { id: FAILED });
  }
}

/** A file's name without its ending: the product's name and the day. */
export function fileName(productName: string, now = new Date()): string {
  const words = productName.match(/[\p{L}\p{N}_-]+/gu) ?? ["drawing"];
  return `${words.join(" ")} ${now.toISOString().slice(0, 10)}`;
}

async function downloadJson(source: Source, name: string, signal: AbortSignal): Promise<void> {
  const parts = await finish(fabricJsonParts(source), createSlices(signal));
  if (parts) save(new Blob(parts, { type: "application/json" }), `${name}.json`);
}

async function downloadSvg(source: Source, name: string, signal: AbortSignal): Promise<void> {
  const { drawingToSvg } = await import("../../canvas/export/svg.ts");
  const svg = await drawingToSvg(source, signal);
  if (svg !== null) return save(svg, `${name}.svg`);
  if (!signal.aborted) sayEmpty();
}

async function downloadPicture(source: Source, name: string, signal: AbortSignal): Promise<void> {
  const png = await paintPng(source, signal);
  if (png) save(png, `${name}.png`);
}

async function copyPicture(source: Source, _name: string, signal: AbortSignal): Promise<void> {
  const png = await paintPng(source, signal);
  if (!png) return;
  await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
  toast.success("The picture is on the clipboard.", { id: "copied" });
}

async function printPicture(source: Source, _name: string, signal: AbortSignal): Promise<void> {
  const png = await paintPng(source, signal);
  if (!png) return;
  const picture = new Image();
  picture.className = "print-picture";
  picture.alt = "";
  picture.src = URL.createObjectURL(png);
  document.body.append(picture);
  const end = (): void => {
    URL.revokeObjectURL(picture.src);
    picture.remove();
  };
  try {
    await picture.decode();
    window.addEventListener("afterprint", end, { once: true });
    window.print();
  } catch (error) {
    end();
    throw error;
  }
}

/** Undefined when there is nothing to see, or the work is to end; a notice says the first, and when the picture is smaller than usual. */
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
    const percent = Math.max(1, Math.round(scale * 100));
    toast(`The drawing is large: the picture shows it at ${percent} %.`, { id: "scale" });
  }
  return png;
}

function sayEmpty(): void {
  toast(EMPTY, { id: EMPTY });
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

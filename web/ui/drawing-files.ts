/** Takes the drawing, or what is selected of it, out of the page: as a file, onto the clipboard, onto paper. */

import { toast } from "sonner";
import type { Drawing } from "../../board/drawing.ts";
import type { Controller } from "./controller.ts";
import { toFabricJson } from "./fabric-json.ts";
import "./print.css";

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

/** Milliseconds after which the page says that it is at work. */
const PATIENCE = 300;
const WORKING = "working";
const EMPTY = "There is nothing on the board yet.";
const FAILED = "That did not work. Please try again.";

/** Runs what one of the actions does. Never rejects: a notice says what went wrong. */
export async function runFileAction(name: FileAction, controller: Controller): Promise<void> {
  const stop = controller.later(() => toast.loading(`${name}...`, { id: WORKING }), PATIENCE);
  try {
    await FILE_ACTIONS[name](controller.drawing(), fileName(controller.productName.get()));
  } catch (error) {
    console.error(`${name}:`, error);
    toast.error(FAILED, { id: FAILED });
  } finally {
    stop();
    toast.dismiss(WORKING);
  }
}

/** A file's name without its ending: the product's name and the day. */
export function fileName(productName: string, now = new Date()): string {
  const words = productName.match(/[\p{L}\p{N}_-]+/gu) ?? ["drawing"];
  return `${words.join(" ")} ${now.toISOString().slice(0, 10)}`;
}

async function downloadJson(source: Source, name: string): Promise<void> {
  save(new Blob([toFabricJson(source)], { type: "application/json" }), `${name}.json`);
}

async function downloadSvg(source: Source, name: string): Promise<void> {
  const { drawingToSvg } = await import("../canvas/svg.ts");
  const svg = await drawingToSvg(source, new AbortController().signal);
  if (svg === null) return sayEmpty();
  save(new Blob([svg], { type: "image/svg+xml" }), `${name}.svg`);
}

async function downloadPicture(source: Source, name: string): Promise<void> {
  const png = await paintPng(source);
  if (png) save(png, `${name}.png`);
}

async function copyPicture(source: Source): Promise<void> {
  const png = await paintPng(source);
  if (!png) return;
  await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
  toast.success("The picture is on the clipboard.", { id: "copied" });
}

async function printPicture(source: Source): Promise<void> {
  const png = await paintPng(source);
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

/** Undefined when there is nothing to see; a notice says so, and when the picture is smaller than usual. */
async function paintPng(source: Source): Promise<Blob | undefined> {
  const { paintFile } = await import("../canvas/picture.ts");
  const painted = await paintFile(source, new AbortController().signal);
  if (!painted) {
    sayEmpty();
    return undefined;
  }
  const { canvas, scale } = painted;
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  canvas.width = canvas.height = 0;
  if (!blob) throw new Error("the browser made no PNG");
  if (scale < 2) {
    const percent = Math.max(1, Math.round(scale * 100));
    toast(`The drawing is large: the picture shows it at ${percent} %.`, { id: "scale" });
  }
  return blob;
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

/** Inserts objects from outside the page into the board: pasted, dropped or opened. */

import { toast } from "sonner";
import { TEXTS } from "../../../board/constants.ts";
import type { Json, NewObject, ObjectId } from "../../../board/drawing.ts";
import { boxOfObjects } from "../../canvas/export/picture.ts";
import type { Box } from "../../canvas/geometry/box.ts";
import { numberOr } from "../../canvas/geometry/transform.ts";
import { createSlices, runToEnd, type Slices } from "../../canvas/scheduling/slices.ts";
import type { LeftOut } from "../../formats/left-out.ts";
import { looksLikeDrawing, readInWorker } from "../../formats/reader.ts";
import { isPicture, pictureObject } from "./add-picture.ts";
import { addSlices, isFirstPart } from "./add-slices.ts";
import { refuseObjects } from "./board-space.ts";
import type { Controller } from "../controller/controller.ts";
import { addedNotice, partialReport, type Refused, refusedReport } from "./import-report.ts";
import { positionText, textAsObject } from "./plain-text.ts";
import { importReport, runWork } from "./work.ts";
import { showLoadFailure } from "../kit/load-failure.ts";
import { t, translate } from "../language/text.ts";
import { only } from "../kit/only-toast.ts";

/** Distance of pasted objects from their former position, in board pixels, when no pointer gives a position. */
const BESIDE = 20;

const VIDEOS = "Videos can't be added.";

type Point = { readonly x: number; readonly y: number };

/** Distance of files that are inserted together, in board pixels. */
const APART = 40;

/**
 * Takes files that were pasted, dropped or chosen: drawings are opened, pictures added, videos refused with a notice,
 * and all others in one dialog. `at`: the position for the middle of the first, otherwise the middle of the view.
 */
export async function takeFiles(
  controller: Controller,
  files: readonly File[],
  at: Point | null = null,
): Promise<void> {
  const refused: Refused[] = [];
  let beside = 0;
  try {
    for (const file of files) {
      await reportClosed();
      if (file.type.startsWith("video/")) {
        toast.error(t(VIDEOS), only(VIDEOS));
        continue;
      }
      const { x, y } = at ?? middleOf(controller) ?? { x: 0, y: 0 };
      const position = { x: x + beside, y: y + beside };
      const add = !isSvg(file) && (await isPicture(file)) ? insertPicture : insertDrawing;
      const reason = await add(controller, file, position);
      if (reason === null) beside += APART;
      else refused.push({ name: file.name, reason });
    }
  } finally {
    // Also where the code for a later file did not arrive, which the caller reports.
    await reportClosed();
    if (refused.length > 0) importReport.set(refusedReport(refused, files.length));
  }
}

/** Resolves when the dialog, which shows one report at a time, is closed. */
function reportClosed(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (importReport.get()) return;
      stop();
      resolve();
    };
    const stop = importReport.subscribe(look);
    look();
  });
}

/** Whether a file is an SVG: a drawing, whose objects are added. */
function isSvg({ type, name }: File): boolean {
  return /svg/i.test(type) || (type === "" && /\.svg$/i.test(name));
}

/**
 * Adds a picture with its middle at a point, or else in the middle of the view, in place of some objects, and selects
 * it. An SVG is drawn only once. Peers see its frame meanwhile.
 */
export async function addPicture(
  controller: Controller,
  file: File | Blob,
  at: Point | null = null,
  replaced: readonly ObjectId[] = [],
): Promise<void> {
  const reason = await insertPicture(controller, file, at, replaced);
  if (reason !== null) refuse("name" in file ? file.name : t("Picture"), reason);
}

async function insertPicture(
  controller: Controller,
  file: File | Blob,
  at: Point | null,
  replaced: readonly ObjectId[] = [],
): Promise<Outcome> {
  const given = "name" in file ? file.name : null;
  const name = given ?? t("Picture");
  return runWork(t("Adding {name}", { name }), controller.startTimer, async (signal) => {
    const middle = at ?? middleOf(controller);
    /** Shows peers the frame until the picture is an object, or was cancelled; undefined before and after. */
    let menu: NonNullable<Controller["canvas"]>["menu"];
    const endFrame = (id?: ObjectId): void => {
      menu?.announce(null, id);
      menu = undefined;
    };
    try {
      // The code that shows the frame to peers is fetched with a visitor's first gesture, which this may be.
      await controller.canvas?.prepare();
      const onSize = (width: number, height: number): void => {
        if (!middle || signal.aborted || controller.blocked.get()) return;
        menu = controller.canvas?.menu;
        menu?.announce(boxOfSize(middle, width, height));
      };
      // On the board the name is English, since others read it.
      const alt = given ?? "Picture";
      const made = await pictureObject(controller, file, alt, { onSize, signal });
      if (signal.aborted) return null;
      if (!made.ok) return made.reason;
      const source = { name, objects: [made.object], leftOut: {}, at: middle, replaced };
      return await insert(controller, source, signal, ([id]) => endFrame(id));
    } finally {
      endFrame();
    }
  });
}

/** Adds the drawing of a file. A notice says how much was added, and a dialog what was left out. */
function insertDrawing(controller: Controller, file: File, at: Point): Promise<Outcome> {
  const { name } = file;
  return runWork(t("Opening {name}", { name }), controller.startTimer, async (signal) => {
    const read = await readInWorker(file, signal);
    if (!read?.ok) return read && read.reason;
    const svg = isSvg(file) && !/z$/i.test(name) ? file : null;
    return insert(controller, { name, ...read, at, svg }, signal);
  });
}

/** Pastes objects that were copied from a board; `at`: the position for their middle, otherwise beside their former one. */
export async function pasteObjects(
  controller: Controller,
  text: string,
  at: Point | null,
): Promise<void> {
  const reason = await runWork(t("Pasting"), controller.startTimer, async (signal) => {
    const read = await readInWorker(text, signal);
    return read?.ok ? insert(controller, { name: null, ...read, at }, signal) : read && read.reason;
  });
  if (reason !== null) refuse(null, reason);
}

/**
 * Pastes what another program copied: its text, or its files where the text is nothing but their names, as in macOS. A
 * text that comes with its picture, as from Office, is pasted as text.
 */
export async function pasteForeign(
  controller: Controller,
  text: string,
  files: readonly File[],
  at: Point | null,
): Promise<void> {
  const names = files.map(({ name }) => name).join("\n");
  const isNames = text.trim().replace(/\r\n?/g, "\n").normalize() === names.normalize();
  if (text.trim() && !isNames) return pasteText(controller, text, at);
  if (files.length === 0) return refuse(null, "it is no drawing");
  return takeFiles(controller, files);
}

/**
 * Pastes a text: as a drawing when it is one, otherwise as words in the visitor's colour; at a point, or else in the
 * middle of the view.
 */
export async function pasteText(
  controller: Controller,
  text: string,
  point: Point | null,
): Promise<void> {
  const reason = await runWork(t("Pasting"), controller.startTimer, async (signal) => {
    const at = point ?? middleOf(controller);
    const read = looksLikeDrawing(text) ? await readInWorker(text, signal) : undefined;
    if (read === null) return null;
    const svg = text.trimStart().startsWith("<") ? new Blob([text]) : null;
    if (read?.ok) return insert(controller, { name: null, ...read, at, svg }, signal);
    const words = textAsObject(text, controller.color.get());
    if (!words) return null;
    const view = controller.canvas?.view;
    const placed = view && at && (await positionText(words, at, view, createSlices(signal)));
    const source = { name: null, objects: [placed?.text ?? words], leftOut: {} };
    return insert(controller, { ...source, at: placed?.middle ?? at }, signal);
  });
  if (reason !== null) refuse(null, reason);
}

function boxOfSize({ x, y }: Point, width: number, height: number): Box {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

function middleOf({ canvas }: Controller): Point | null {
  return canvas?.view.middle ?? null;
}

function refuse(name: string | null, reason: string): void {
  importReport.set(refusedReport([{ name, reason }], 1));
}

/** The reason, as a clause, for which nothing was added; null where something was, or the visitor cancelled it. */
type Outcome = string | null;

interface Import {
  /** Name of the file; null for pasted text. */
  readonly name: string | null;
  readonly objects: readonly NewObject[];
  readonly leftOut: LeftOut;
  /** The position for the middle of the objects; null: beside their former one. */
  readonly at: Point | null;
  /** The SVG that the objects are from, which can be added as a picture instead; absent or null for other formats. */
  readonly svg?: Blob | null;
  /** The objects in place of which these are added; absent: none. */
  readonly replaced?: readonly ObjectId[];
}

async function insert(
  controller: Controller,
  { name, objects, leftOut, at, svg, replaced = [] }: Import,
  signal: AbortSignal,
  onAdded: (ids: readonly ObjectId[]) => void = () => {},
): Promise<Outcome> {
  const isPartial = Object.keys(leftOut).length > 0;
  if (objects.length === 0 && !isPartial) return "there is nothing in it";
  let ids: readonly ObjectId[] = [];
  if (objects.length > 0) {
    const slices = createSlices(signal);
    const removed = new Set(replaced);
    const board = controller.objects().filter(({ id }) => !removed.has(id));
    const refused = await runToEnd(refuseObjects(board, objects), slices);
    if (refused !== null) return refused;
    const box = at && (await boxOfObjects(objects, slices));
    await controller.canvas?.prepare();
    if (signal.aborted) return null;
    // The move is by whole pixels, so that sharp lines stay sharp.
    const dx = at && box ? Math.round(at.x - (box.left + box.right) / 2) : BESIDE;
    const dy = at && box ? Math.round(at.y - (box.top + box.bottom) / 2) : BESIDE;
    if (replaced.length > 0) controller.removeObjects(replaced);
    // Where the visitor writes, draws or drags meanwhile, the tool stays and nothing is selected.
    const { menu, selection } = controller.canvas ?? {};
    if (!menu?.isActing && !selection?.editingText) controller.setTool("select");
    ids = await addSlices(
      controller,
      objects.map((object) => moved(object, dx, dy)),
      slices,
    );
    // The canvas itself explains why it is full.
    if (ids.length < objects.length && controller.blocked.get())
      toast.error(translate(TEXTS.locked), only(TEXTS.locked));
    if (ids.length === 0) return null;
    onAdded(ids);
    await selectAdded(controller, ids, slices);
    if (ids.length < objects.length) return null;
  }
  if (isPartial)
    importReport.set({
      ...partialReport(name, objects.length, leftOut),
      ...(svg && {
        addPicture: () => void addPicture(controller, svg, at, ids).catch(showLoadFailure),
      }),
    });
  // It is a separate notice each time: a notice that is just fading would take its successor with it.
  else if (name !== null) toast.success(addedNotice(objects.length, name));
  return null;
}

/**
 * Selects objects when all of them are on the canvas, unless the visitor acts just then, or selected one object or
 * nothing after the first ones had been selected.
 */
async function selectAdded(
  { canvas, objects }: Controller,
  ids: readonly ObjectId[],
  slices: Slices,
): Promise<void> {
  const { menu, selection } = canvas ?? {};
  const own = new Set(ids);
  const isOurs = (): boolean =>
    selection?.editingText === false && selection.ids.every((id) => own.has(id));
  for (const id of menu ? ids : []) {
    // An object that somebody removes meanwhile is never shown.
    while (!menu?.isShown(id) && objects().some((object) => object.id === id))
      if (!isOurs() || !(await slices.rest())) return;
  }
  if (selection && !menu?.isActing && isFirstPart(selection.ids, ids)) selection.select(ids);
}

function moved(object: NewObject, dx: number, dy: number): NewObject {
  const left = numberOr(object["left"], 0) + dx;
  const top = numberOr(object["top"], 0) + dy;
  const clip = object["clipPath"] as NewObject | null | undefined;
  return {
    ...object,
    left: Math.round(left * 10) / 10,
    top: Math.round(top * 10) / 10,
    // Fabric positions such a clip path on the board, not in its object.
    ...(clip?.["absolutePositioned"] === true && { clipPath: moved(clip, dx, dy) as Json }),
  };
}

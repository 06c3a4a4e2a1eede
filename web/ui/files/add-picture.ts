/** Makes an object of the board from a picture that was pasted, dropped or chosen. */

import type { NewObject } from "../../../board/drawing.ts";
import { readPictureHeader } from "../../../board/picture-header.ts";
import { safeLine } from "../../../board/presence.ts";
import { makePicture } from "../../canvas/pictures/make-picture.ts";
import { refusePicture } from "../../formats/reader.ts";
import type { Controller } from "../controller/controller.ts";

/** The greatest part of the view that a picture covers. */
const SHARE = 0.8;

/** Characters of a picture's name. */
const NAME_LENGTH = 100;

/** Bytes at the beginning of a file that contain a picture's header, behind what a camera writes before it. */
const HEADER = 1024 * 1024;

export type PictureObject =
  | { readonly ok: true; readonly object: NewObject }
  /** A clause for a person. */
  | { readonly ok: false; readonly reason: string };

export interface PictureOptions {
  /** Called with the approximate size that the object will have on the board, in canvas pixels, before it is made. */
  readonly onSize: (width: number, height: number) => void;
  /** Aborts the check of an SVG. */
  readonly signal: AbortSignal;
}

/** Whether a file is a picture: by its type, by its name where it has no type, or else by its content. */
export async function isPicture(file: File): Promise<boolean> {
  const { type, name } = file;
  if (type.startsWith("image/") || (type === "" && /\.(png|jpe?g|webp|gif)$/i.test(name)))
    return true;
  const bytes = await file
    .slice(0, HEADER)
    .arrayBuffer()
    .catch(() => null);
  return bytes !== null && readPictureHeader(new Uint8Array(bytes)) !== null;
}

/**
 * Makes the object of a picture's file, small enough for the view. Its position is not set. Rejects when the code for it
 * does not arrive.
 */
export async function pictureObject(
  controller: Controller,
  file: Blob,
  name: string,
  { onSize, signal }: PictureOptions,
): Promise<PictureObject> {
  const made = await makePicture(file, {
    refuseSvg: (svg) => refusePicture(svg, signal),
    onSize({ width, height }) {
      const scale = scaleFor(controller, width, height);
      onSize(width * scale, height * scale);
    },
  });
  if (!made.ok) return made;
  const { source, width, height } = made;
  const scale = Math.round(scaleFor(controller, width, height) * 1e4) / 1e4;
  const object = {
    ...{ type: "Image" as const, src: source, width, height, scaleX: scale, scaleY: scale },
    ...{ originX: "left", originY: "top", left: 0, top: 0 },
    alt: safeLine(name).slice(0, NAME_LENGTH),
  };
  return { ok: true, object };
}

function scaleFor({ canvas }: Controller, width: number, height: number): number {
  if (!canvas) return 1;
  const start = canvas.view.pointOf({ clientX: 0, clientY: 0 });
  const end = canvas.view.pointOf({ clientX: window.innerWidth, clientY: window.innerHeight });
  return Math.min(1, (SHARE * (end.x - start.x)) / width, (SHARE * (end.y - start.y)) / height);
}

/** Decodes pictures outside the main thread, after their headers were read. */

import {
  isWithinLimits,
  type PictureHeader,
  readPictureHeader,
} from "../../../board/picture-header.ts";

/** A decoded picture; smaller than its file where it is shown small. */
export interface Decoded {
  readonly bitmap: CanvasImageSource & {
    readonly width: number;
    readonly height: number;
    close(): void;
  };
  /** Pixels of the bitmap in a pixel of the file. */
  readonly scale: number;
}

/** Decodes a source; each `level` halves its pixels on a side. Rejects for anything but a picture within the limits. */
export type Decode = (source: string, level: number) => Promise<Decoded>;

/** Reads the file of a source (`data:TYPE;base64,...`). @throws Error for anything but a picture within the limits. */
export function fileOf(source: string): {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly header: PictureHeader;
} {
  const comma = source.indexOf(",");
  const bytes = Uint8Array.from(atob(source.slice(comma + 1)), (one) => one.charCodeAt(0));
  const header = readPictureHeader(bytes);
  if (!header || !source.startsWith(`data:${header.type};base64,`))
    throw new Error("no picture of its type");
  if (!isWithinLimits(header)) throw new Error("a picture with too many pixels");
  return { bytes, header };
}

export const decodePicture: Decode = async (source, level) => {
  const { bytes, header } = fileOf(source);
  const { type, width, height } = header;
  const file = new Blob([bytes], { type });
  const bitmap = await createImageBitmap(
    file,
    level > 0 ? { resizeWidth: Math.ceil(width / 2 ** level), resizeQuality: "medium" } : {},
  );
  // The camera was rotated, and the browser has rotated the picture back.
  const isTurned = bitmap.width > bitmap.height !== width > height;
  return { bitmap, scale: level > 0 ? bitmap.width / (isTurned ? height : width) : 1 };
};

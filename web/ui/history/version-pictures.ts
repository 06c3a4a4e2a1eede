/** Small pictures of versions, each of which is painted once, when it first becomes visible. */

import { RecentMap } from "../../canvas/scheduling/recent-map.ts";
import { paintPicture } from "../../canvas/export/picture.ts";
import type { BoardVersions } from "./versions.ts";

export type VersionPicture = HTMLCanvasElement;

export interface VersionPictures {
  /** The picture of a version; null when there is none, or when `signal` was aborted. Never rejects. */
  get(id: string, signal: AbortSignal): Promise<VersionPicture | null>;
}

/** The size in CSS pixels. */
export const PICTURE_SIZE = { width: 120, height: 75 } as const;
/** Device pixels in a CSS pixel: thin lines stay visible. */
const RATIO = 2;
/** The number of the latest pictures that stay in memory; each takes 144 KB. */
const RECENT_PICTURES = 50;

interface VersionPicturesDependencies {
  readonly load: BoardVersions["load"];
  readonly paint: typeof paintPicture;
  /** The size of the visitor's view, in CSS pixels. */
  readonly view: () => { readonly width: number; readonly height: number };
  readonly log: (what: string, reason: unknown) => void;
}

/** Makes the pictures; nothing is painted yet. */
export function createVersionPictures(dependencies: VersionPicturesDependencies): VersionPictures {
  const { load, paint, view, log } = dependencies;
  const painted = new RecentMap<string, VersionPicture>(RECENT_PICTURES);
  const [width, height] = [PICTURE_SIZE.width * RATIO, PICTURE_SIZE.height * RATIO];
  return {
    async get(id, signal) {
      const known = painted.get(id);
      if (known) return known;
      try {
        // It is painted before the next version is loaded, so that memory contains one drawing at a time.
        const picture = await load(
          id,
          (drawing) => drawing && paint(drawing, { width, height, view: view(), signal }),
          { signal },
        );
        if (!picture) return null;
        painted.set(id, picture);
        return picture;
      } catch (error) {
        log("a picture of a version could not be painted", error);
        return null;
      }
    },
  };
}

const pictures = new WeakMap<BoardVersions, VersionPictures>();

/** Returns the pictures of a board's versions. A version never changes, so they are retained while its panel is closed. */
export function picturesOf(versions: BoardVersions): VersionPictures {
  let made = pictures.get(versions);
  if (!made) {
    made = createVersionPictures({
      load: versions.load,
      paint: paintPicture,
      view: () => ({ width: innerWidth, height: innerHeight }),
      log: (what, reason) => console.warn(`${what}:`, reason),
    });
    pictures.set(versions, made);
  }
  return made;
}

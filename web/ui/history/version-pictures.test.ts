import { expect, test } from "vitest";
import type { Drawing } from "../../../board/drawing.ts";
import { createVersionLoader } from "./version-loader.ts";
import { createVersionPictures, type VersionPicture } from "./version-pictures.ts";

const DRAWING = { objects: [], background: "white" } as unknown as Drawing;
const { signal } = new AbortController();

function createBench(paint: () => Promise<VersionPicture | null>) {
  const loads: string[] = [];
  const faults: string[] = [];
  const loader = createVersionLoader(async (id) => {
    loads.push(id);
    return id === "gone" ? null : DRAWING;
  });
  const pictures = createVersionPictures({
    load: loader.run,
    paint,
    view: () => ({ width: 800, height: 500 }),
    log: (what) => faults.push(what),
  });
  return { loads, faults, pictures };
}

test("a picture is painted once, however often it is asked for", async () => {
  const picture = {} as VersionPicture;
  const { loads, pictures } = createBench(async () => picture);
  expect(await pictures.get("a", signal)).toBe(picture);
  expect(await pictures.get("a", signal)).toBe(picture);
  expect(loads).toEqual(["a"]);
});

test("a version that is gone has none, nor one that cannot be painted", async () => {
  const { faults, pictures } = createBench(() => Promise.reject(new Error("no")));
  expect(await pictures.get("gone", signal)).toBeNull();
  expect(await pictures.get("a", signal)).toBeNull();
  expect(faults).toEqual(["a picture of a version could not be painted"]);
});

test("one that is not in sight any more is not loaded", async () => {
  const { loads, pictures } = createBench(async () => null);
  expect(await pictures.get("a", AbortSignal.abort())).toBeNull();
  expect(loads).toEqual([]);
});

/** Puts a canvas on the page, and the harness and instruments of the tests on `window`. */

import { strokeObject } from "../../web/canvas/input/stroke-object.ts";
import { playShadows, scribble, shadowed } from "./costly.ts";
import { type CanvasHarness, openHarness } from "./harness.ts";
import { compareRepaint, playHistory, playSteps, settled } from "./history.ts";
import { compare, inked, inkEnd, pictureOf, pixelsOf } from "./pixels.ts";
import { sendPointer } from "./pointer.ts";

const instruments = {
  compare,
  compareRepaint,
  inked,
  inkEnd,
  pictureOf,
  pixelsOf,
  playHistory,
  playShadows,
  playSteps,
  scribble,
  sendPointer,
  settled,
  shadowed,
  strokeObject,
};

declare global {
  interface Window {
    harness: CanvasHarness;
    openHarness: typeof openHarness;
    instruments: typeof instruments;
    reopen: typeof reopen;
  }
}

/** The properties of the page that the scripts of a test may change, but for the harness; equal ones are identical. */
function properties(): unknown[] {
  const { prototype } = CanvasRenderingContext2D;
  const objects = [window, document, navigator, prototype, HTMLCanvasElement.prototype];
  return [
    ...[...objects, EventTarget.prototype].flatMap((object) =>
      Object.entries(Object.getOwnPropertyDescriptors(object))
        .filter(([name]) => object !== window || name !== "harness")
        .flatMap(([name, { value }]) => [name, value as unknown]),
    ),
    document.body.childElementCount,
    document.body.getAttribute("style"),
  ];
}

/**
 * Replaces the canvas by a new one, as a navigation does, for a tenth of its work. Returns false on a page that differs
 * from one that has just been opened.
 */
async function reopen(width: number, height: number): Promise<boolean> {
  const now = properties();
  if (now.length !== untouched.length || !now.every((value, at) => Object.is(value, untouched[at])))
    return false;
  await window.harness.canvas.dispose();
  document.querySelector("#host")?.replaceWith(emptyHost.cloneNode());
  window.harness = openHarness(width, height);
  await window.harness.internals.complete();
  return true;
}

const emptyHost = document.querySelector("#host")!.cloneNode();

window.openHarness = openHarness;
window.instruments = instruments;
window.reopen = reopen;
const untouched = properties();
const query = new URLSearchParams(location.search);
if (!query.has("closed"))
  window.harness = openHarness(
    Number(query.get("width") ?? 800),
    Number(query.get("height") ?? 500),
  );

/** Puts a canvas on the page, and the harness and instruments of the tests on `window`. */

import { strokeObject } from "../../web/canvas/input/stroke-object.ts";
import { playShadows, scribble, shadowed } from "./costly.ts";
import { type CanvasHarness, openHarness } from "./harness.ts";
import { compareRepaint, playHistory, playSteps, settled } from "./history.ts";
import { compare, inked, inkEnd, pictureOf, pixelsOf } from "./pixels.ts";

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
  settled,
  shadowed,
  strokeObject,
};

declare global {
  interface Window {
    harness: CanvasHarness;
    openHarness: typeof openHarness;
    instruments: typeof instruments;
  }
}

window.openHarness = openHarness;
window.instruments = instruments;
const query = new URLSearchParams(location.search);
if (!query.has("closed"))
  window.harness = openHarness(
    Number(query.get("width") ?? 800),
    Number(query.get("height") ?? 500),
  );

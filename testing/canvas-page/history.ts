/** A random history of a board, the same for a seed, compared with a full repaint after every eighth step. */

import type { BoardObject, Json, NewObject, ObjectId } from "../../board/drawing.ts";
import { strokeObject } from "../../web/canvas/input/stroke-object.ts";
import { HOME, panBy, zoomAt } from "../../web/canvas/view/view.ts";
import type { CanvasHarness } from "./harness.ts";
import { createRandom, type Random } from "../random/random.ts";
import { compare, type Difference, pixelsOf } from "./pixels.ts";

export interface HistoryResult extends Difference {
  readonly steps: number;
  readonly objects: number;
  readonly faults: readonly string[];
}

const COLORS = ["#000000", "#ff0000", "#4ecdc4", "#45b7d1", "#f7dc6f", "#9b59b6"];

/** The difference of a channel that counts; anti-aliasing causes less. */
const THRESHOLD = 24;

function between(random: Random, from: number, to: number): number {
  return Math.round((from + random.next() * (to - from)) * 10) / 10;
}

function randomStroke(random: Random): NewObject {
  const eraser = random.next() < 0.2;
  const points: number[] = [];
  let x = between(random, 0, 600);
  let y = between(random, 0, 400);
  for (let i = 0; i < 5 + random.next() * 40; i++) {
    points.push(x, y);
    x += between(random, -14, 14);
    y += between(random, -14, 14);
  }
  const color = eraser ? "white" : random.pick(COLORS);
  return strokeObject(points, { color, width: eraser ? 20 : 3, eraser }) as NewObject;
}

function randomLook(random: Random): Record<string, Json> {
  return {
    left: between(random, -20, 560),
    top: between(random, -20, 360),
    originX: "left",
    originY: "top",
    fill: random.next() < 0.8 ? random.pick(COLORS) : null,
    stroke: random.next() < 0.5 ? random.pick(COLORS) : null,
    strokeWidth: between(random, 0, 8),
    ...(random.next() < 0.4 && { angle: between(random, 0, 360) }),
    ...(random.next() < 0.3 && { opacity: 0.5 }),
  };
}

const MAKERS: readonly ((random: Random) => NewObject)[] = [
  randomStroke,
  randomStroke,
  randomStroke,
  (random) => ({
    type: "Rect",
    ...randomLook(random),
    width: between(random, 1, 150),
    height: between(random, 1, 100),
    ...(random.next() < 0.4 && { rx: 12, ry: 6 }),
  }),
  (random) => ({ type: "Circle", ...randomLook(random), radius: between(random, 1, 75) }),
  (random) => ({
    type: "IText",
    ...randomLook(random),
    text: random.pick(["🎉", "Inkpool", "two\nlines"]),
    fontSize: 40,
    fontFamily: "Arial",
  }),
  (random) => ({
    type: "Polygon",
    ...randomLook(random),
    points: [0, 1, 2, 3, 4].map(() => ({ x: between(random, 0, 90), y: between(random, 0, 90) })),
    ...(random.next() < 0.4 && {
      shadow: { color: "rgba(0,0,0,0.5)", blur: 6, offsetX: 4, offsetY: 4 },
    }),
  }),
  (random) => ({
    type: "Rect",
    ...randomLook(random),
    width: between(random, 1, 100),
    height: between(random, 1, 80),
    strokeUniform: true,
    scaleX: between(random, 0.1, 3),
    scaleY: between(random, 0.1, 3),
    skewX: between(random, -70, 70),
  }),
  (random) => ({
    type: "Ellipse",
    ...randomLook(random),
    rx: between(random, 1, 60),
    ry: between(random, 1, 40),
    scaleX: 0.3,
    skewY: between(random, -60, 60),
    shadow: { color: "rgba(0,0,0,0.5)", blur: 4, offsetX: 20, offsetY: -20, nonScaling: true },
  }),
  // Another program may leave parts outside of the box of their group.
  (random) => ({
    type: "Group",
    ...randomLook(random),
    width: 60,
    height: 40,
    objects: Array.from({ length: 3 }, () => ({
      ...{ type: "Triangle", ...randomLook(random), width: 50, height: 40 },
      ...{ left: between(random, -90, 90), top: between(random, -60, 60) },
    })),
  }),
  (random) => ({
    type: "Path",
    ...randomLook(random),
    path: "M0 0L60 10L20 50Z",
    skewX: between(random, -30, 30),
    flipX: random.next() < 0.5,
  }),
];

const NOTHING = { added: [], changed: [], removed: [] };

type Step = (harness: CanvasHarness, random: Random) => void;

function someOf(harness: CanvasHarness, random: Random): ObjectId[] {
  const ids = [...harness.board.objects.keys()];
  return ids.filter(() => random.next() < 2 / (ids.length || 1));
}

function changing(props: (random: Random, object: BoardObject) => Record<string, Json>): Step {
  return (harness, random) =>
    harness.board.changeByPeer(
      someOf(harness, random).map((id) => ({
        id,
        props: props(random, harness.board.objects.get(id) as BoardObject),
      })),
    );
}

const STEPS: readonly Step[] = [
  (harness, random) => harness.board.add([random.pick(MAKERS)(random)]),
  (harness, random) =>
    harness.board.add([random.pick(MAKERS)(random), random.pick(MAKERS)(random)]),
  (harness, random) => harness.board.add([randomStroke(random)]),
  changing((random) => ({ left: between(random, 0, 560), top: between(random, 0, 360) })),
  changing((random) => ({ scaleX: between(random, 0.3, 2), scaleY: between(random, 0.3, 2) })),
  changing((random) => ({ angle: between(random, 0, 360) })),
  changing((random) => ({ fill: random.pick(COLORS) })),
  changing((random, object) => ({ z: object.z + between(random, -8, 8) })),
  (harness, random) => {
    const removed = harness.board.removeByPeer(someOf(harness, random));
    if (random.next() < 0.5) harness.board.restore(removed);
  },
  (harness, random) => {
    if (random.next() < 0.8) return;
    const removed = harness.board.removeByPeer([...harness.board.objects.keys()]);
    if (random.next() < 0.7) harness.board.restore(removed);
  },
  (harness, random) => {
    if (random.next() < 0.6) return;
    harness.canvas.view.resize(
      400 + Math.floor(random.next() * 240),
      300 + Math.floor(random.next() * 140),
    );
  },
  (harness, random) => {
    if (random.next() < 0.7) return;
    const zoom = random.pick([0.5, 1, 1.5]);
    const angle = random.next() < 0.2 ? 0.2 : 0;
    harness.internals.setViewport([
      zoom * Math.cos(angle),
      zoom * Math.sin(angle),
      -zoom * Math.sin(angle),
      zoom * Math.cos(angle),
      between(random, -60, 60),
      between(random, -60, 60),
    ]);
  },
  (harness, random) => {
    const pan = (): number => between(random, -90, 90);
    harness.internals.setView(panBy(harness.internals.view, pan(), pan()));
  },
  (harness, random) => {
    const at = { x: between(random, 0, 600), y: between(random, 0, 400) };
    const factor = random.pick([0.3, 0.8, 1.25, 3]);
    harness.internals.setView(zoomAt(harness.internals.view, factor, at));
  },
  (harness, random) => {
    if (random.next() < 0.5) harness.internals.setView(HOME);
  },
  (harness, random) => {
    if (random.next() < 0.8) return;
    harness.canvas.apply({ ...NOTHING, background: random.pick(["white", "#eef2ff"]) });
  },
];

const frame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
  });

/** Resolves when the canvas has painted everything. */
export async function settled(harness: CanvasHarness): Promise<void> {
  await harness.internals.complete();
  await frame();
  while (!harness.internals.settled) await frame();
}

/** Returns the differences of the picture from a full repaint. */
export async function compareRepaint(harness: CanvasHarness): Promise<Difference> {
  await settled(harness);
  const before = pixelsOf(harness.internals.base);
  harness.internals.repaintAll();
  await settled(harness);
  return compare(before, pixelsOf(harness.internals.base), THRESHOLD);
}

/** Plays `steps` steps; 30 % of them are followed by a frame. */
export async function playSteps(
  harness: CanvasHarness,
  seed: number,
  steps: number,
): Promise<void> {
  const random = createRandom(seed);
  for (let step = 1; step <= steps; step++) {
    random.pick(STEPS)(harness, random);
    if (random.next() < 0.3) await frame();
  }
}

/** Plays `steps` steps and compares the picture with a full repaint after every eighth. */
export async function playHistory(
  harness: CanvasHarness,
  seed: number,
  steps: number,
): Promise<HistoryResult> {
  const random = createRandom(seed);
  let worst: Difference = { pixels: 0, wrong: 0 };
  for (let step = 1; step <= steps; step++) {
    random.pick(STEPS)(harness, random);
    if (random.next() < 0.3) await frame();
    if (step % 8 !== 0) continue;
    const difference = await compareRepaint(harness);
    worst = {
      pixels: Math.max(worst.pixels, difference.pixels),
      wrong: Math.max(worst.wrong, difference.wrong),
    };
  }
  return { ...worst, steps, objects: harness.board.objects.size, faults: harness.faults };
}

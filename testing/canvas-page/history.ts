/** A random history of a board, the same for a seed, with a full repaint compared after every few steps. */

import type { BoardObject, Json, NewObject, ObjectId } from "../../board/drawing.ts";
import { strokeObject } from "../../web/canvas/pen.ts";
import type { Bench } from "./main.ts";
import { createRandom, type Random } from "../random.ts";
import { compare, type Difference, pixelsOf } from "./pixels.ts";

export interface HistoryResult extends Difference {
  readonly steps: number;
  readonly objects: number;
  readonly faults: readonly string[];
}

const COLORS = ["#000000", "#ff0000", "#4ecdc4", "#45b7d1", "#f7dc6f", "#9b59b6"];

/** The difference of a channel that counts as one: what anti-aliasing may do is less. */
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

function placed(random: Random): Record<string, Json> {
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
    ...placed(random),
    width: between(random, 1, 150),
    height: between(random, 1, 100),
    ...(random.next() < 0.4 && { rx: 12, ry: 6 }),
  }),
  (random) => ({ type: "Circle", ...placed(random), radius: between(random, 1, 75) }),
  (random) => ({
    type: "IText",
    ...placed(random),
    text: random.pick(["🎉", "Inkpool", "two\nlines"]),
    fontSize: 40,
    fontFamily: "Arial",
  }),
  (random) => ({
    type: "Polygon",
    ...placed(random),
    points: [0, 1, 2, 3, 4].map(() => ({ x: between(random, 0, 90), y: between(random, 0, 90) })),
    ...(random.next() < 0.4 && {
      shadow: { color: "rgba(0,0,0,0.5)", blur: 6, offsetX: 4, offsetY: 4 },
    }),
  }),
  (random) => ({
    type: "Path",
    ...placed(random),
    path: "M0 0L60 10L20 50Z",
    skewX: between(random, -30, 30),
    flipX: random.next() < 0.5,
  }),
];

type Step = (bench: Bench, random: Random) => void;

function someOf(bench: Bench, random: Random): ObjectId[] {
  const ids = [...bench.desk.objects.keys()];
  return ids.filter(() => random.next() < 2 / (ids.length || 1));
}

function altering(props: (random: Random, object: BoardObject) => Record<string, Json>): Step {
  return (bench, random) =>
    bench.desk.alter(
      someOf(bench, random).map((id) => ({
        id,
        props: props(random, bench.desk.objects.get(id) as BoardObject),
      })),
    );
}

const STEPS: readonly Step[] = [
  (bench, random) => bench.desk.add([random.pick(MAKERS)(random)]),
  (bench, random) => bench.desk.add([random.pick(MAKERS)(random), random.pick(MAKERS)(random)]),
  (bench, random) => bench.desk.add([randomStroke(random)]),
  altering((random) => ({ left: between(random, 0, 560), top: between(random, 0, 360) })),
  altering((random) => ({ scaleX: between(random, 0.3, 2), scaleY: between(random, 0.3, 2) })),
  altering((random) => ({ angle: between(random, 0, 360) })),
  altering((random) => ({ fill: random.pick(COLORS) })),
  altering((random, object) => ({ z: object.z + between(random, -8, 8) })),
  (bench, random) => {
    const removed = bench.desk.drop(someOf(bench, random));
    if (random.next() < 0.5) bench.desk.restore(removed);
  },
  (bench, random) => {
    if (random.next() < 0.8) return;
    const removed = bench.desk.drop([...bench.desk.objects.keys()]);
    if (random.next() < 0.7) bench.desk.restore(removed);
  },
  (bench, random) => {
    if (random.next() < 0.6) return;
    bench.canvas.resize(
      400 + Math.floor(random.next() * 240),
      300 + Math.floor(random.next() * 140),
    );
  },
  (bench, random) => {
    if (random.next() < 0.7) return;
    const zoom = random.pick([0.5, 1, 1.5]);
    const angle = random.next() < 0.2 ? 0.2 : 0;
    bench.inside.setViewport([
      zoom * Math.cos(angle),
      zoom * Math.sin(angle),
      -zoom * Math.sin(angle),
      zoom * Math.cos(angle),
      between(random, -60, 60),
      between(random, -60, 60),
    ]);
  },
  (bench, random) => {
    if (random.next() < 0.8) return;
    bench.canvas.apply({ ...NOTHING, background: random.pick(["white", "#eef2ff"]) });
  },
];

const NOTHING = { added: [], changed: [], removed: [] };

const frame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
  });

/** Resolves when the canvas has painted everything. */
export async function settled(bench: Bench): Promise<void> {
  await bench.inside.complete();
  await frame();
  while (!bench.inside.settled) await frame();
}

/** How the picture differs from a full repaint. */
export async function compareRepaint(bench: Bench): Promise<Difference> {
  await settled(bench);
  const before = pixelsOf(bench.inside.base);
  bench.inside.repaintAll();
  await settled(bench);
  return compare(before, pixelsOf(bench.inside.base), THRESHOLD);
}

/** Plays `steps` steps, with a frame now and then. */
export async function playSteps(bench: Bench, seed: number, steps: number): Promise<void> {
  const random = createRandom(seed);
  for (let step = 1; step <= steps; step++) {
    random.pick(STEPS)(bench, random);
    if (random.next() < 0.3) await frame();
  }
}

/** Plays `steps` steps and compares the picture with a full repaint after every eighth. */
export async function playHistory(
  bench: Bench,
  seed: number,
  steps: number,
): Promise<HistoryResult> {
  const random = createRandom(seed);
  let worst: Difference = { pixels: 0, wrong: 0 };
  for (let step = 1; step <= steps; step++) {
    random.pick(STEPS)(bench, random);
    if (random.next() < 0.3) await frame();
    if (step % 8 !== 0) continue;
    const difference = await compareRepaint(bench);
    worst = {
      pixels: Math.max(worst.pixels, difference.pixels),
      wrong: Math.max(worst.wrong, difference.wrong),
    };
  }
  return { ...worst, steps, objects: bench.desk.objects.size, faults: bench.faults };
}

/** Objects whose painting costs a browser much, and a random history of them, the same for a seed. */

import type { NewObject, ObjectId } from "../../board/drawing.ts";
import { createRandom, type Random } from "../random/random.ts";
import type { CanvasHarness } from "./harness.ts";

/** Returns a rectangle of 100 x 80 with a shadow of blur 50, in the form of `compactObject`. */
export function shadowed(left: number, top: number): NewObject {
  return {
    type: "Rect",
    originX: "left",
    originY: "top",
    left,
    top,
    width: 100,
    height: 80,
    fill: "#45b7d1",
    shadow: { color: "rgba(0,0,0,0.5)", blur: 50, offsetX: 5, offsetY: 5 },
  };
}

/** Returns a path of `count` lines within `size` x `size` pixels, most of them on top of others. */
export function scribble(count: number, size: number): string {
  const at = (index: number): string =>
    `${(index * 7919) % size} ${(index * 104_729 + (index >> 3)) % size}`;
  return `M0 0${Array.from({ length: count }, (_, index) => `L${at(index)}`).join("")}`;
}

function position(random: Random): { readonly left: number; readonly top: number } {
  return { left: Math.floor(random.next() * 700), top: Math.floor(random.next() * 420) };
}

function someOf(harness: CanvasHarness, random: Random, share: number): ObjectId[] {
  return [...harness.board.objects.keys()].filter(() => random.next() < share);
}

type Step = (harness: CanvasHarness, random: Random) => void;

const STEPS: readonly Step[] = [
  ({ board }, random) =>
    board.add(
      Array.from({ length: 40 }, () => {
        const { left, top } = position(random);
        return shadowed(left, top);
      }),
    ),
  (harness, random) =>
    harness.board.changeByPeer(
      someOf(harness, random, 0.1).map((id) => ({ id, props: position(random) })),
    ),
  (harness, random) =>
    harness.board.changeByPeer(
      someOf(harness, random, 0.1).map((id) => ({ id, props: { z: random.next() * 1000 } })),
    ),
  (harness, random) =>
    harness.board.changeByPeer(
      someOf(harness, random, 0.1).map((id) => ({ id, props: { shadow: null } })),
    ),
  (harness, random) => {
    const removed = harness.board.removeByPeer(someOf(harness, random, 0.3));
    if (random.next() < 0.5) harness.board.restore(removed);
  },
];

/** Plays `steps` steps with more shadows than a canvas paints; 30 % of the steps are followed by a frame. */
export async function playShadows(
  harness: CanvasHarness,
  seed: number,
  steps: number,
): Promise<void> {
  const random = createRandom(seed);
  for (let step = 0; step < 8; step++) STEPS[0]?.(harness, random);
  for (let step = 0; step < steps; step++) {
    random.pick(STEPS)(harness, random);
    if (random.next() < 0.3)
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
  }
}

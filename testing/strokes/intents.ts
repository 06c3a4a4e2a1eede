/**
 * Strokes as somebody means them, as pieces of which each is one movement: with corners that are missed by some percent,
 * sides that bow, ends that overshoot or do not meet. `motion.ts` moves a mouse along them.
 */

import { createRandom, type Random } from "../random/random.ts";
import { type Motion, motionOf, type Piece, type Point } from "./motion.ts";
import type { DrawnKind } from "./strokes.ts";

const at = (x: number, y: number): Point => ({ x, y });

class Aim {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  range(from: number, to: number): number {
    return from + (to - from) * this.random.next();
  }

  /** A number of a normal distribution around 0. */
  normal(deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.random.next()));
    return deviation * radius * Math.cos(6.28 * this.random.next());
  }

  /** Straight movements between the corners: each ends up to some percent of its length beside its aim, and bows. */
  through(corners: readonly Point[], spread = 0.02): Piece[] {
    let from = corners[0] as Point;
    return corners.slice(1).map((aim, i) => {
      const before = corners[i] as Point;
      const length = Math.hypot(aim.x - before.x, aim.y - before.y);
      const to = at(aim.x + this.normal(spread * length), aim.y + this.normal(spread * length));
      const bow = this.normal(0.012);
      const piece = Array.from({ length: 17 }, (_, n) => {
        const share = n / 16;
        const side = bow * Math.sin(Math.PI * share);
        const [dx, dy] = [to.x - from.x, to.y - from.y];
        return at(from.x + share * dx - side * dy, from.y + share * dy + side * dx);
      });
      from = to;
      return piece;
    });
  }

  /** One movement along a function of the share that is done, with a slow wobble. */
  along(curve: (share: number) => Point, wobble: number): Piece {
    const waves = [1, 2, 3].map((n) => ({
      x: this.normal(wobble / n),
      y: this.normal(wobble / n),
      rate: n * this.range(0.5, 1.2),
      phase: this.range(0, 6.28),
    }));
    return Array.from({ length: 97 }, (_, i) => {
      let { x, y } = curve(i / 96);
      for (const wave of waves) {
        x += wave.x * Math.sin((6.28 * wave.rate * i) / 96 + wave.phase);
        y += wave.y * Math.sin((6.28 * wave.rate * i) / 96 + wave.phase + 1);
      }
      return at(x, y);
    });
  }

  /** The outline of a closed shape, begun at a corner, or on a side by one in four, in one of both directions. */
  around(outline: readonly Point[]): Piece[] {
    const first = this.random.integer(0, outline.length - 1);
    const ahead = this.random.boolean(0.5) ? 1 : outline.length - 1;
    const corners = outline.map((_, i) => outline[(first + i * ahead) % outline.length] as Point);
    const [one, two] = corners as [Point, Point];
    // The last side ends before the beginning, or goes beyond it.
    const before = corners.at(-1) as Point;
    const reach = this.range(0.93, 1.08);
    if (this.random.boolean(0.75))
      return this.through([
        ...corners,
        at(mix(before.x, one.x, reach), mix(before.y, one.y, reach)),
      ]);
    const share = this.range(0.3, 0.7);
    const start = at(mix(one.x, two.x, share), mix(one.y, two.y, share));
    const end = share * reach;
    return this.through([
      start,
      ...corners.slice(1),
      one,
      at(mix(one.x, two.x, end), mix(one.y, two.y, end)),
    ]);
  }
}

const mix = (from: number, to: number, share: number): number => from + (to - from) * share;

/** Points on an ellipse around the origin. */
const arc = (rx: number, ry: number, from: number, span: number) => (share: number) =>
  at(rx * Math.cos(from + span * share), ry * Math.sin(from + span * share));

/** Each kind at a size of about 1, upright. */
const MEANT: Readonly<Record<DrawnKind, (aim: Aim) => Piece[]>> = {
  line: (aim) => aim.through([at(0, 0), at(1, 0)], 0.03),
  arrow: (aim) => {
    const head = aim.range(0.18, 0.38);
    const barb = (side: 1 | -1): Point => {
      const angle = aim.range(0.4, 0.8);
      return at(1 - head * Math.cos(angle), side * head * Math.sin(angle));
    };
    const side = aim.random.boolean(0.5) ? 1 : -1;
    const [one, two, tip] = [barb(side), barb(-side as 1 | -1), at(1, 0)];
    return aim.through(
      aim.random.pick([
        [at(0, 0), tip, one, tip, two],
        [at(0, 0), tip, one, two],
        [at(0, 0), tip, one, two, tip],
      ]),
    );
  },
  rectangle: (aim) => {
    const height = aim.range(0.4, 1);
    return aim.around([at(0, 0), at(1, 0), at(1, height), at(0, height)]);
  },
  ellipse: (aim) => {
    const span = 6.28 * aim.range(0.95, 1.06) * (aim.random.boolean(0.5) ? 1 : -1);
    const round = arc(0.5, 0.5 * aim.range(0.45, 1), aim.range(0, 6.28), span);
    const growth = aim.normal(0.02);
    const turn = aim.range(-0.5, 0.5);
    const piece = aim.along((share) => {
      const { x, y } = round(share);
      return at(x * (1 + growth * share), y * (1 + growth * share));
    }, 0.008);
    return [rotated(piece, turn)];
  },
  triangle: (aim) => aim.around([at(0, 0), at(1, 0), at(aim.range(0, 1), -aim.range(0.5, 1))]),
  curve: (aim) => {
    const span = aim.range(0.9, 3.6) * (aim.random.boolean(0.5) ? 1 : -1);
    return [aim.along(arc(0.5, aim.range(0.3, 0.6), aim.range(0, 6.28), span), 0.006)];
  },
  scribble: (aim) => aim.random.pick(SCRIBBLES)(aim),
};

/** Corners that are joined by straight movements. */
const drawn =
  (...flat: number[]) =>
  (aim: Aim): Piece[] =>
    aim.through(
      Array.from({ length: flat.length / 2 }, (_, i) => at(flat[2 * i]!, flat[2 * i + 1]!)),
      0.05,
    );

const curved =
  (curve: (share: number, aim: Aim) => Point) =>
  (aim: Aim): Piece[] => [aim.along((share) => curve(share, aim), 0.01)];

/** Handwriting, crossings-out, hatching, spirals, loops, letters, wanderings. */
const SCRIBBLES: readonly ((aim: Aim) => Piece[])[] = [
  // Zigzag.
  (aim) =>
    aim.through(
      Array.from({ length: aim.random.integer(5, 12) }, (_, i) =>
        at(i * 0.12, i % 2 === 0 ? 0 : aim.range(0.3, 0.7)),
      ),
    ),
  // Hatching: strokes to and fro, close together.
  (aim) => {
    const slant = aim.range(0.2, 0.6);
    return aim.through(
      Array.from({ length: aim.random.integer(7, 14) }, (_, i) =>
        at(i * 0.07 + (i % 2) * slant, (i % 2) * aim.range(0.5, 0.8)),
      ),
    );
  },
  // A word of loops, and one of humps.
  (aim) => {
    const [count, slant, height] = [aim.range(3, 7), aim.range(0.05, 0.2), aim.range(0.1, 0.3)];
    return curvedBy(aim, (share) => {
      const angle = 6.28 * count * share;
      return at(
        share + slant * Math.cos(angle),
        height * (1 + 0.3 * Math.sin(3 * share)) * Math.sin(angle),
      );
    });
  },
  (aim) => {
    const [count, height] = [aim.random.integer(3, 6), aim.range(0.2, 0.4)];
    return curvedBy(aim, (share) =>
      at(share, -height * Math.abs(Math.sin(Math.PI * count * share))),
    );
  },
  // A spiral.
  (aim) => {
    const rounds = aim.range(1.8, 4);
    return curvedBy(aim, (share) => {
      const angle = 6.28 * rounds * share;
      return at(0.5 * share * Math.cos(angle), 0.5 * share * Math.sin(angle));
    });
  },
  // Rounds on top of each other.
  (aim) => {
    const [rounds, drift] = [aim.range(2.2, 4), aim.range(0.05, 0.3)];
    return curvedBy(aim, (share) => {
      const angle = 6.28 * rounds * share;
      return at(0.5 * Math.cos(angle) + drift * share, 0.4 * Math.sin(angle));
    });
  },
  // Crossing out.
  (aim) =>
    aim.through(
      Array.from({ length: aim.random.integer(5, 9) }, () =>
        at(aim.range(0, 1), aim.range(0, 0.5)),
      ),
    ),
  // Wandering about.
  (aim) => {
    let [x, y, way] = [0, 0, aim.range(0, 6.28)];
    return [
      Array.from({ length: aim.random.integer(30, 60) }, () => {
        way += aim.normal(0.7);
        x += 0.07 * Math.cos(way);
        y += 0.07 * Math.sin(way);
        return at(x, y);
      }),
    ];
  },
  // An eight, an S of two rounds, a clover, a heart.
  curved((share) => at(0.3 * Math.sin(12.56 * share), 0.5 * Math.sin(6.28 * share))),
  curved((share) => at(0.25 * Math.sin(12.56 * share), share)),
  curved((share) => {
    const radius = 0.3 + 0.25 * Math.cos(4 * 6.28 * share);
    return at(radius * Math.cos(6.28 * share), radius * Math.sin(6.28 * share));
  }),
  curved((share) => {
    const t = 6.28 * share;
    return at(
      0.5 * Math.sin(t) ** 3,
      -(13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t)) / 32,
    );
  }),
  // Letters, digits, a star, a gable, stairs, a tick.
  drawn(0, 0, 0.7, 0, 0, 1, 0.7, 1),
  drawn(0, 1, 0, 0, 0.4, 0.6, 0.8, 0, 0.8, 1),
  drawn(0, 0, 0.25, 1, 0.5, 0.3, 0.75, 1, 1, 0),
  drawn(0, 1, 0, 0, 0.6, 1, 0.6, 0),
  drawn(0, 0, 0, 1, 0, 0.5, 0.5, 0.5, 0.5, 0, 0.5, 1),
  drawn(0.5, 0, 0, 0.6, 0.6, 0.6, 0.4, 0.3, 0.4, 1),
  drawn(0.5, 0, 0.8, 1, 0, 0.35, 1, 0.35, 0.2, 1, 0.5, 0),
  drawn(0, 1, 1, 1, 1, 0.4, 0.5, 0, 0, 0.4, 0, 1),
  drawn(0, 0, 0.3, 0, 0.3, 0.3, 0.6, 0.3, 0.6, 0.6, 0.9, 0.6),
  drawn(0, 0.6, 0.3, 1, 1, 0),
];

function curvedBy(aim: Aim, curve: (share: number) => Point): Piece[] {
  return [aim.along(curve, 0.008)];
}

function rotated(points: readonly Point[], angle: number): Point[] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return points.map(({ x, y }) => at(x * cos - y * sin, x * sin + y * cos));
}

/** Kinds that are drawn upright, but for a small tilt. */
const UPRIGHT: readonly DrawnKind[] = ["rectangle", "ellipse", "scribble"];

/**
 * Returns the motion of a mouse that draws a stroke of a kind, `size` pixels on its longer side, in the middle of a
 * window of `width` and `height`.
 */
export function meantMotion(
  kind: DrawnKind,
  seed: number,
  size: number,
  { width, height }: { readonly width: number; readonly height: number },
): Motion {
  const random = createRandom(seed * 31 + kind.charCodeAt(0) * 1009 + kind.length);
  const aim = new Aim(random);
  const angle = UPRIGHT.includes(kind) ? aim.range(-0.12, 0.12) : aim.range(-3.14, 3.14);
  const pieces = MEANT[kind](aim).map((piece) => rotated(piece, angle));
  const xs = pieces.flat().map(({ x }) => x);
  const ys = pieces.flat().map(({ y }) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const factor = size / Math.max(right - left, bottom - top);
  const positioned = pieces.map((piece) =>
    piece.map(({ x, y }) =>
      at(
        width / 2 + factor * (x - (left + right) / 2),
        height / 2 + factor * (y - (top + bottom) / 2),
      ),
    ),
  );
  return motionOf(positioned, random);
}

/** Strokes as people draw them: shapes with the faults of quick drawing, and scribbles. A seed always gives the same ones. */

import { createRandom } from "../random/random.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

export const SHAPE_KINDS = ["line", "arrow", "rectangle", "ellipse", "triangle", "curve"] as const;

export type DrawnKind = (typeof SHAPE_KINDS)[number] | "scribble";

const at = (x: number, y: number): Point => ({ x, y });

class Sketcher {
  readonly roll: () => number;
  private readonly size: number | undefined;

  /** `size`: pixels of the longer side of what is drawn; without it each kind has sizes of its own. */
  constructor(seed: number, size?: number) {
    this.roll = createRandom(seed).next;
    this.size = size;
  }

  range(from: number, to: number): number {
    return from + (to - from) * this.roll();
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.roll() * values.length)] as T;
  }

  /** Draws through the points: with rounded corners, a slow wobble, a jitter of the device, and uneven speed. */
  draw(corners: readonly Point[], wobble: number): Point[] {
    const line = along(this.size ? scaled(corners, this.size) : corners, 2);
    // Who draws smaller rounds less.
    const dense = rounded(line, this.range(0, this.size ? Math.min(5, this.size / 40) : 5));
    const size = Math.max(...dense.map(({ x }) => x)) - Math.min(...dense.map(({ x }) => x));
    const height = Math.max(...dense.map(({ y }) => y)) - Math.min(...dense.map(({ y }) => y));
    const amplitude = wobble * Math.max(size, height);
    const waves = [1, 2, 3].map((n) => ({
      x: (amplitude * this.range(-1, 1)) / n,
      y: (amplitude * this.range(-1, 1)) / n,
      turns: n * this.range(0.6, 1.3),
      phase: this.range(0, 6.28),
    }));
    const points: Point[] = [];
    for (let i = 0; i < dense.length;) {
      const share = i / dense.length;
      let { x, y } = dense[i] as Point;
      for (const wave of waves) {
        const swing = Math.sin(6.28 * wave.turns * share + wave.phase);
        x += wave.x * swing;
        y += wave.y * swing;
      }
      points.push(at(Math.round(x + this.range(-0.8, 0.8)), Math.round(y + this.range(-0.8, 0.8))));
      // People draw slower at the ends, and large strokes faster.
      const pace = this.range(1, 5) * (0.4 + Math.sin(Math.PI * share));
      i += Math.max(1, Math.round(this.size ? (pace * dense.length) / 400 : pace));
    }
    return points;
  }

  /** Moves and rotates a shape that was made around the origin. */
  place(points: readonly Point[], angle: number): Point[] {
    const [x, y] = [this.range(200, 900), this.range(200, 600)];
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return points.map((point) =>
      at(x + point.x * cos - point.y * sin, y + point.x * sin + point.y * cos),
    );
  }
}

/** The points, so that the longer side of the rectangle around them is so many pixels. */
function scaled(points: readonly Point[], size: number): Point[] {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const factor = size / Math.max(Math.max(...xs) - left, Math.max(...ys) - top);
  return points.map(({ x, y }) => at(left + (x - left) * factor, top + (y - top) * factor));
}

/** Points at equal steps of about `step` pixels along the line. */
function along(points: readonly Point[], step: number): Point[] {
  const result: Point[] = [];
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1] as Point, points[i] as Point];
    const count = Math.max(1, Math.round(Math.hypot(to.x - from.x, to.y - from.y) / step));
    for (let n = 0; n < count; n++)
      result.push(
        at(from.x + ((to.x - from.x) * n) / count, from.y + ((to.y - from.y) * n) / count),
      );
  }
  result.push(points.at(-1) as Point);
  return result;
}

/** The line with its corners rounded: each point is the mean of its neighbours. */
function rounded(points: readonly Point[], reach: number): Point[] {
  const radius = Math.round(reach);
  return points.map((point, i) => {
    const near = Math.min(radius, i, points.length - 1 - i);
    if (near === 0) return point;
    const window = points.slice(i - near, i + near + 1);
    return at(
      window.reduce((sum, { x }) => sum + x, 0) / window.length,
      window.reduce((sum, { y }) => sum + y, 0) / window.length,
    );
  });
}

/** Draws the outline from a random point on it, in a random direction, with a gap or an overshoot where its ends meet. */
function closed(sketcher: Sketcher, outline: readonly Point[]): Point[] {
  const loop = along([...outline, outline[0] as Point], 2);
  const atCorner = sketcher.roll() < 0.6;
  const start = atCorner
    ? nearest(loop, sketcher.pick(outline))
    : Math.floor(sketcher.roll() * loop.length);
  const count = Math.round(loop.length * sketcher.range(0.96, 1.05));
  const forward = sketcher.roll() < 0.5;
  return Array.from(
    { length: count },
    (_, i) => loop[(start + (forward ? i : loop.length * 2 - i)) % loop.length] as Point,
  );
}

function nearest(points: readonly Point[], to: Point): number {
  const away = points.map(({ x, y }) => Math.hypot(x - to.x, y - to.y));
  return away.indexOf(Math.min(...away));
}

function arc(rx: number, ry: number, from: number, span: number): Point[] {
  return Array.from({ length: 60 }, (_, i) => {
    const angle = from + (span * i) / 59;
    return at(rx * Math.cos(angle), ry * Math.sin(angle));
  });
}

const DRAWN: Readonly<Record<DrawnKind, (sketcher: Sketcher) => Point[]>> = {
  line: (sketcher) => {
    const length = sketcher.range(40, 600);
    return sketcher.draw(
      sketcher.place([at(0, 0), at(length, 0)], sketcher.range(-3.14, 3.14)),
      0.015,
    );
  },
  arrow: (sketcher) => {
    const length = sketcher.range(80, 400);
    const head = length * sketcher.range(0.18, 0.38);
    const side = (): Point => {
      const angle = sketcher.range(0.4, 0.8);
      return at(length - head * Math.cos(angle), head * Math.sin(angle));
    };
    const [one, two] = [side(), side()];
    const tip = at(length, 0);
    const other = at(two.x, -two.y);
    const points = sketcher.pick([
      [at(0, 0), tip, one, tip, other],
      [at(0, 0), tip, other, tip, one],
      [at(0, 0), tip, one, other],
      [at(0, 0), tip, one, other, tip],
    ]);
    return sketcher.draw(sketcher.place(points, sketcher.range(-3.14, 3.14)), 0.012);
  },
  rectangle: (sketcher) => {
    const [w, h] = [sketcher.range(50, 400), sketcher.range(50, 300)];
    const outline = [at(0, 0), at(w, 0), at(w, h), at(0, h)];
    return sketcher.draw(
      sketcher.place(closed(sketcher, outline), sketcher.range(-0.12, 0.12)),
      0.012,
    );
  },
  ellipse: (sketcher) => {
    const [rx, ry] = [sketcher.range(30, 200), sketcher.range(30, 150)];
    const points = closed(sketcher, arc(rx, ry, 0, 6.28).slice(0, -1));
    return sketcher.draw(sketcher.place(points, sketcher.range(-0.5, 0.5)), 0.015);
  },
  triangle: (sketcher) => {
    const [w, h] = [sketcher.range(80, 350), sketcher.range(70, 300)];
    const outline = [at(0, 0), at(w, 0), at(w * sketcher.range(0, 1), -h)];
    return sketcher.draw(
      sketcher.place(closed(sketcher, outline), sketcher.range(-3.14, 3.14)),
      0.012,
    );
  },
  curve: (sketcher) => {
    const points = arc(
      sketcher.range(60, 250),
      sketcher.range(60, 250),
      0,
      sketcher.range(0.9, 3.6),
    );
    return sketcher.draw(sketcher.place(points, sketcher.range(-3.14, 3.14)), 0.012);
  },
  scribble: (sketcher) => {
    const scale = sketcher.range(30, 200);
    const points = sketcher
      .pick(SCRIBBLES)(sketcher)
      .map(({ x, y }) => at(x * scale, y * scale));
    return sketcher.draw(sketcher.place(points, sketcher.range(-0.4, 0.4)), 0.02);
  },
};

const letter =
  (...flat: number[]) =>
  (): Point[] =>
    Array.from({ length: flat.length / 2 }, (_, i) => at(flat[2 * i]!, flat[2 * i + 1]!));

/** Scribbles of size 1 or so: crossings-out, loops of handwriting, spirals, letters, stars, wanderings. */
const SCRIBBLES: readonly ((sketcher: Sketcher) => Point[])[] = [
  (sketcher) =>
    Array.from({ length: Math.round(sketcher.range(5, 14)) }, (_, i) =>
      at(i * 0.15, i % 2 === 0 ? 0 : sketcher.range(0.6, 1)),
    ),
  (sketcher) => {
    const turns = sketcher.range(3, 7);
    return Array.from({ length: 120 }, (_, i) =>
      at(
        i / 60 + 0.2 * Math.cos((i / 120) * 6.28 * turns),
        0.3 * Math.sin((i / 120) * 6.28 * turns),
      ),
    );
  },
  (sketcher) => {
    const turns = sketcher.range(1.7, 4);
    return Array.from({ length: 120 }, (_, i) =>
      at(
        (i / 120) * Math.cos((i / 120) * 6.28 * turns),
        (i / 120) * Math.sin((i / 120) * 6.28 * turns),
      ),
    );
  },
  (sketcher) => {
    let [x, y, way] = [0, 0, sketcher.range(0, 6.28)];
    return Array.from({ length: Math.round(sketcher.range(25, 60)) }, () => {
      way += sketcher.range(-1.2, 1.2);
      x += 0.15 * Math.cos(way);
      y += 0.15 * Math.sin(way);
      return at(x, y);
    });
  },
  (sketcher) =>
    Array.from({ length: Math.round(sketcher.range(5, 12)) }, () =>
      at(sketcher.range(0, 1), sketcher.range(0, 1)),
    ),
  letter(0, 0, 1, 0, 0, 1, 1, 1),
  letter(0, 1, 0, 0, 0.5, 0.7, 1, 0, 1, 1),
  letter(0, 0, 0.25, 1, 0.5, 0.2, 0.75, 1, 1, 0),
  letter(0, 1, 0, 0, 0, 0.5, 1, 0.5, 1, 0, 1, 1),
  letter(0.5, 0, 0.8, 1, 0, 0.35, 1, 0.35, 0.2, 1, 0.5, 0),
  letter(1, 0, 0, 0, 0, 0.5, 0.8, 0.5, 0, 0.5, 0, 1, 1, 1),
  letter(0, 0, 0.5, 1, 1, 0, 0.5, 0.5, 0, 1, 1, 1),
  // These are check marks, corners and steps.
  letter(0, 0.6, 0.3, 1, 1, 0),
  letter(0, 0, 0, 1, 0.7, 1),
  letter(0, 0, 0.4, 0, 0.4, 0.4, 0.8, 0.4, 0.8, 0.8, 1.2, 0.8),
  // These are an eight and a clover.
  () =>
    Array.from({ length: 100 }, (_, i) =>
      at(0.5 * Math.sin((i / 99) * 12.56), Math.sin((i / 99) * 6.28)),
    ),
  (sketcher) => {
    const leaves = sketcher.pick([3, 4, 5]);
    return Array.from({ length: 120 }, (_, i) => {
      const angle = (i / 119) * 6.28;
      const radius = 0.5 + 0.4 * Math.cos(leaves * angle);
      return at(radius * Math.cos(angle), radius * Math.sin(angle));
    });
  },
  // These are a heart and a pentagon.
  () =>
    Array.from({ length: 100 }, (_, i) => {
      const t = (i / 99) * 6.28;
      return at(
        Math.sin(t) ** 3,
        -(13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t)) / 16,
      );
    }),
  letter(0, 1, 1, 1, 1, 0.4, 0.5, 0, 0, 0.4, 0, 1),
];

/** Returns a stroke of a kind, in canvas pixels; `size`: how long its longer side is, about. */
export function drawnStroke(kind: DrawnKind, seed: number, size?: number): Point[] {
  return DRAWN[kind](new Sketcher(seed * 7 + kind.length * 1013 + kind.charCodeAt(1), size));
}

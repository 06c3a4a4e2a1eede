/** Measures web/canvas/scene/grid.ts beside rbush and flatbush: 10,000 strokes, on one screen and on a hundred. */

import { Flatbush, RBush, type Rectangle } from "../peers/spatial.ts";
import { ROOT } from "../../scripts/root.mjs";
import { importBundled, measurePage } from "../bundle.ts";
import { compare, cpuOf, digits, table } from "../../lab/measuring/figures.ts";

const STROKES = 10_000;
const SCREEN = { width: 1920, height: 1000 };
const QUERIES = 1_000;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function seeded(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Makes boxes at random positions.
 *
 * @param spread Screens in each direction.
 */
function makeBoxes(count: number, spread: number, size: number, seed = 7): Box[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    const left = random() * SCREEN.width * spread;
    const top = random() * SCREEN.height * spread;
    return {
      left,
      top,
      right: left + size * (0.5 + random()),
      bottom: top + size * (0.5 + random()),
    };
  });
}

type Modules = typeof import("../../web/canvas/scene/grid.ts");

interface GridItem {
  box: Box;
  visited: number;
}

type GridOfItems = InstanceType<typeof import("../../web/canvas/scene/grid.ts").Grid<GridItem>>;

/** A spatial index. Its members are methods, so that any subject passes as one of unknown items. */
interface Subject<Item = unknown, Index = unknown> {
  make(boxes: Box[]): Item[];
  fill(items: Item[]): Index;
  /** Returns the number of found items. */
  query(index: Index, box: Box): number;
  /** Moves an item; null where a change requires building the index again. */
  move: { of(index: Index, item: Item): void }["of"] | null;
}

type Subjects = Readonly<Record<string, Subject>>;

function gridSubject({ Grid }: Modules): Subject<GridItem, GridOfItems> {
  return {
    make: (boxes: Box[]) => boxes.map((box) => ({ box, visited: 0 })),
    fill(items) {
      const grid = new Grid<GridItem>();
      for (const item of items) grid.add(item);
      return grid;
    },
    query(grid, box) {
      let found = 0;
      grid.query(box, () => {
        found++;
      });
      return found;
    },
    move(grid, item) {
      grid.remove(item);
      grid.add(item);
    },
  };
}

const rbushSubject: Subject<Rectangle, RBush> = {
  make: (boxes) =>
    boxes.map((box) => ({ minX: box.left, minY: box.top, maxX: box.right, maxY: box.bottom })),
  fill(items) {
    const tree = new RBush();
    for (const item of items) tree.insert(item);
    return tree;
  },
  query: (tree, box) =>
    tree.search({ minX: box.left, minY: box.top, maxX: box.right, maxY: box.bottom }).length,
  move(tree, item) {
    tree.remove(item);
    tree.insert(item);
  },
};

/** An index that is built in one go and cannot change: a change requires building it again. */
const flatbushSubject: Subject<Box, Flatbush> = {
  make: (boxes) => boxes,
  fill(boxes) {
    const index = new Flatbush(boxes.length);
    for (const { left, top, right, bottom } of boxes) index.add(left, top, right, bottom);
    index.finish();
    return index;
  },
  query: (index, box) => index.search(box.left, box.top, box.right, box.bottom).length,
  move: null,
};

export async function measureGrid(rounds: number): Promise<string> {
  const modules = await importBundled<Modules>("web/canvas/scene/grid.ts");
  const subjects = { grid: gridSubject(modules), rbush: rbushSubject, flatbush: flatbushSubject };
  const rows = [];
  for (const spread of [1, 10]) {
    const boxes = makeBoxes(STROKES, spread, 70);
    const where = spread === 1 ? "on one screen" : "on 100 screens";
    rows.push([
      `to add a stroke, ${where}`,
      ...(await row(subjects, rounds, (subject) => {
        const items = subject.make(boxes);
        return cpuOf(() => subject.fill(items)) / STROKES;
      })),
    ]);
    for (const { name, queries } of [
      { name: "a point (hit test)", queries: makeBoxes(QUERIES, spread, 1, 8) },
      { name: "the rectangle of a stroke", queries: makeBoxes(QUERIES, spread, 70, 9) },
      { name: "a screen", queries: makeBoxes(50, spread, 1400, 10) },
    ])
      rows.push([
        `to search ${name}, ${where}`,
        ...(await searches(subjects, rounds, boxes, queries)),
      ]);
    const few = { grid: subjects.grid, rbush: subjects.rbush };
    rows.push([
      `to move a stroke, ${where}`,
      ...(await row(few, rounds, (subject) => {
        const items = subject.make(boxes);
        const index = subject.fill(items);
        const moved = items.slice(0, QUERIES);
        return cpuOf(() => moved.forEach((item) => subject.move?.(index, item))) / QUERIES;
      })),
      "-",
    ]);
  }
  rows.push(["gzipped bytes for the page", ...(await bytesForThePage())]);
  return table(["µs, 10,000 strokes", "grid", "rbush", "flatbush"], rows);
}

async function bytesForThePage() {
  const sizes = await Promise.all([
    measurePage(ROOT, `export { Grid } from "${ROOT}web/canvas/scene/grid.ts";`),
    measurePage(`${ROOT}bench/peers`, `export { default } from "rbush";`),
    measurePage(`${ROOT}bench/peers`, `export { default } from "flatbush";`),
  ]);
  return sizes.map(({ script }) => script.toLocaleString("en"));
}

function searches(subjects: Subjects, rounds: number, boxes: Box[], queries: Box[]) {
  const found = new Set<number>();
  const indexes = new Map<Subject, unknown>();
  return row(subjects, rounds, (subject) => {
    let index = indexes.get(subject);
    if (index === undefined) indexes.set(subject, (index = subject.fill(subject.make(boxes))));
    let sum = 0;
    const time = cpuOf(() => queries.forEach((box) => (sum += subject.query(index, box))));
    found.add(sum);
    if (found.size > 1) throw new Error("the indexes find different strokes");
    return time / queries.length;
  });
}

async function row(subjects: Subjects, rounds: number, measure: (subject: Subject) => number) {
  const entries = Object.entries(subjects).map(
    ([name, subject]) => [name, () => measure(subject)] as const,
  );
  const times = await compare(Object.fromEntries(entries), rounds);
  return Object.values(times).map(digits);
}

/** web/canvas/scene/grid.ts beside rbush and flatbush: 10,000 strokes, on one screen and on a hundred. */

import { Flatbush, RBush } from "../peers/spatial.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { importBundled, measurePage } from "../bundle.mjs";
import { compare, cpuOf, digits, table } from "../../lab/figures.ts";

const STROKES = 10_000;
const SCREEN = { width: 1920, height: 1000 };
const QUERIES = 1_000;

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** @param {number} seed */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Boxes at random places. @param {number} count @param {number} spread Screens in each direction. @param {number} size @returns {Box[]} */
function makeBoxes(count, spread, size, seed = 7) {
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

/** @param {any} Grid */
function gridSubject(Grid) {
  return {
    make: (/** @type {Box[]} */ boxes) => boxes.map((box) => ({ box, visited: 0 })),
    fill(/** @type {any[]} */ items) {
      const grid = new Grid();
      for (const item of items) grid.add(item);
      return grid;
    },
    query(/** @type {any} */ grid, /** @type {Box} */ box) {
      let found = 0;
      grid.query(box, () => {
        found++;
      });
      return found;
    },
    move(/** @type {any} */ grid, /** @type {any} */ item) {
      grid.remove(item);
      grid.add(item);
    },
  };
}

const rbushSubject = {
  make: (/** @type {Box[]} */ boxes) =>
    boxes.map((box) => ({ minX: box.left, minY: box.top, maxX: box.right, maxY: box.bottom })),
  fill(/** @type {any[]} */ items) {
    const tree = new RBush();
    for (const item of items) tree.insert(item);
    return tree;
  },
  query: (/** @type {any} */ tree, /** @type {Box} */ box) =>
    tree.search({ minX: box.left, minY: box.top, maxX: box.right, maxY: box.bottom }).length,
  move(/** @type {any} */ tree, /** @type {any} */ item) {
    tree.remove(item);
    tree.insert(item);
  },
};

/** It takes everything at once and nothing afterwards: a change means building it again. */
const flatbushSubject = {
  make: (/** @type {Box[]} */ boxes) => boxes,
  fill(/** @type {Box[]} */ boxes) {
    const index = new Flatbush(boxes.length);
    for (const { left, top, right, bottom } of boxes) index.add(left, top, right, bottom);
    index.finish();
    return index;
  },
  query: (/** @type {any} */ index, /** @type {Box} */ box) =>
    index.search(box.left, box.top, box.right, box.bottom).length,
  move: null,
};

/** @param {number} rounds @returns {Promise<string>} */
export async function measureGrid(rounds) {
  const { Grid } = await importBundled("web/canvas/scene/grid.ts");
  const subjects = { grid: gridSubject(Grid), rbush: rbushSubject, flatbush: flatbushSubject };
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
        return (
          cpuOf(() => moved.forEach((/** @type {any} */ item) => subject.move?.(index, item))) /
          QUERIES
        );
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

/** @param {any} subjects @param {number} rounds @param {Box[]} boxes @param {Box[]} queries */
function searches(subjects, rounds, boxes, queries) {
  const found = new Set();
  const indexes = new Map();
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

/** @param {any} subjects @param {number} rounds @param {(subject: any) => number} measure */
async function row(subjects, rounds, measure) {
  const entries = Object.entries(subjects).map(([name, subject]) => [name, () => measure(subject)]);
  const times = await compare(Object.fromEntries(entries), rounds);
  return Object.values(times).map(digits);
}

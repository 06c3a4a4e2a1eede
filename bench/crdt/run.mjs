/**
 * Compares the product's merging with Yjs, Automerge and Loro on the same strokes: bytes that a page loads,
 * bytes of a message, bytes of the row, and times as ratios to ours. The peers must be installed
 * (npm run bench does it).
 *
 *   node bench/crdt/run.mjs [--strokes=5000] [--rounds=5]
 */

import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { importBundled } from "../bundle.mjs";
import { cpuOf, median, table } from "../../lab/figures.ts";
import { automerge } from "../peers/crdt/automerge.mjs";
import { loro } from "../peers/crdt/loro.mjs";
import { yjs } from "../peers/crdt/yjs.mjs";
import { measureBundles } from "./bundles.mjs";
import { bytesOf } from "./subject.mjs";

const { values: options } = parseArgs({
  options: {
    strokes: { type: "string", default: "5000" },
    rounds: { type: "string", default: "5" },
  },
});
const count = Number(options.strokes);
const rounds = Number(options.rounds);

/** They draw one after the other, each in a page of their own. */
const VISITORS = 10;
/** Strokes that are merged one by one. */
const MERGED = 200;

const { ours, makeStrokes } = await importBundled("bench/crdt/ours.ts");

/** @type {Readonly<Record<string, import("./subject.mjs").Subject>>} */
const SUBJECTS = {
  Inkpool: ours,
  "Yjs, path as text": yjs("text"),
  "Yjs, path as numbers": yjs("numbers"),
  "Yjs, path as text, format 2": yjs("text", 2),
  "Automerge, path as text": automerge("text"),
  "Automerge, path as numbers": automerge("numbers"),
  "Loro, path as text": loro("text"),
  "Loro, path as numbers": loro("numbers"),
};

/** A name of 13 characters, as the page's authors have. @param {number} index */
const author = (index) => `6e${index % 10}${String(1e9 + index * 7919)}`;

/**
 * @param {import("./subject.mjs").Subject} subject @param {any} saved @param {number} first
 * @param {(replica: any, share: readonly any[]) => void} visit What each visitor does with a share of the strokes.
 * @param {readonly any[]} strokes
 */
function inTurns(subject, saved, first, strokes, visit) {
  let row = saved;
  const share = strokes.length / VISITORS;
  for (let visitor = 0; visitor < VISITORS; visitor++) {
    const replica = subject.open(row, author(first + visitor));
    visit(replica, strokes.slice(visitor * share, (visitor + 1) * share));
    row = subject.save(replica);
    if (visitor === VISITORS - 1) return { row, replica };
    subject.close?.(replica);
  }
  throw new Error("nobody visited");
}

/** Every second one first, so that what is removed does not lie side by side. @param {readonly string[]} ids */
const scattered = (ids) => [
  ...ids.filter((_, index) => index % 2 === 0),
  ...ids.filter((_, index) => index % 2 === 1),
];

/** @param {import("./subject.mjs").Subject} subject */
function measureBytes(subject) {
  const board = inTurns(subject, null, 0, makeStrokes(count, 7), (replica, share) => {
    for (const stroke of share) subject.add(replica, stroke);
  });
  const sizes = makeStrokes(MERGED, 8).map((/** @type {any} */ stroke) =>
    bytesOf(subject.add(board.replica, stroke).message),
  );
  const edited = inTurns(subject, board.row, VISITORS, makeStrokes(count, 9), (replica, share) => {
    const ids = share.map((stroke) => subject.add(replica, stroke).id);
    for (const id of scattered(ids)) subject.remove(replica, id);
  });
  const left = subject.readAll(edited.replica).length;
  if (left !== count) throw new Error(`${left} strokes are left instead of ${count}`);
  return {
    row: board.row,
    message: median(sizes),
    fresh: bytesOf(board.row),
    gzipped: gzipSync(board.row).length,
    edited: bytesOf(edited.row),
    forgetful: bytesOf((subject.saveWithoutHistory ?? subject.save)(edited.replica)),
    fabric: fabricObjects(board.row),
  };
}

/** How many objects a program that knows Fabric JSON only finds in a row. @param {string | Uint8Array} row */
function fabricObjects(row) {
  try {
    const { objects } = JSON.parse(typeof row === "string" ? row : new TextDecoder().decode(row));
    return objects.filter((/** @type {any} */ { type, path }) => type === "Path" && path).length;
  } catch {
    return 0;
  }
}

/** CPU time in microseconds. @param {import("./subject.mjs").Subject} subject @param {any} row */
function measureTimes(subject, row) {
  const sender = subject.open(row, author(50));
  const sent = makeStrokes(MERGED, 10).map((/** @type {any} */ stroke) =>
    subject.add(sender, stroke),
  );
  let receiver = subject.open(null, author(52));
  const load = cpuOf(() => {
    receiver = subject.open(row, author(51));
    if (subject.readAll(receiver).length !== count) throw new Error("strokes are missing");
  });
  const merge = cpuOf(() => {
    for (const { id, message } of sent) {
      subject.receive(receiver, message);
      if (subject.read(receiver, id) === undefined) throw new Error("a stroke did not arrive");
    }
  });
  for (const replica of [sender, receiver]) subject.close?.(replica);
  return { load, merge: merge / MERGED };
}

const kilobytes = (/** @type {number} */ bytes) => (bytes / 1000).toFixed(1);
const whole = (/** @type {number} */ value) => value.toLocaleString("en");

const bundles = await measureBundles();
console.log(
  table(
    ["gzipped, kB", "script", "wasm", "together"],
    bundles.map(({ name, script, wasm }) => [
      name,
      ...[script, wasm, script + wasm].map(kilobytes),
    ]),
  ),
);

const bytes = new Map(
  Object.entries(SUBJECTS).map(([name, subject]) => [name, measureBytes(subject)]),
);
console.log(
  `\n${table(
    [
      `bytes, ${whole(count)} strokes`,
      "message of one stroke",
      "row",
      "the row gzipped",
      `row after ${whole(count)} more were added and removed`,
      "the same, history left out where it can be",
      "strokes in the row for a plain Fabric client",
    ],
    [...bytes].map(([name, { message, fresh, gzipped, edited, forgetful, fabric }]) => [
      name,
      ...[message, fresh, gzipped, edited, forgetful, fabric].map(whole),
    ]),
  )}`,
);

/** @type {Map<string, { load: number, merge: number }[]>} */
const times = new Map();
// The first round warms the compiler up.
for (let round = 0; round <= rounds; round++)
  for (const [name, { row }] of bytes) {
    // The slower form of a library says nothing more.
    if (name.includes("numbers")) continue;
    const time = measureTimes(SUBJECTS[name], row);
    if (round > 0) times.set(name, [...(times.get(name) ?? []), time]);
  }
const middle = new Map(
  [...times].map(([name, list]) => [
    name,
    { load: median(list.map(({ load }) => load)), merge: median(list.map(({ merge }) => merge)) },
  ]),
);
const base = /** @type {{ load: number, merge: number }} */ (middle.get("Inkpool"));
console.log(
  `\n${table(
    [`times Inkpool's, median of ${rounds}`, "to load the row and read it", "to merge one stroke"],
    [...middle].map(([name, { load, merge }]) => [
      name,
      (load / base.load).toFixed(2),
      (merge / base.merge).toFixed(2),
    ]),
  )}`,
);
console.log(
  `\nInkpool in this run: ${(base.load / 1000).toFixed(0)} ms of CPU time to load, ${base.merge.toFixed(0)} µs to merge one stroke.`,
);

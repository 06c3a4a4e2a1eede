/**
 * Compares the product's merging with Yjs, Automerge and Loro on the same strokes: the bytes that a page loads, of a
 * message and of the row, and times as ratios to ours. The peers must be installed (npm run bench does it).
 *
 *   npx tsx bench/crdt/run.ts [--strokes=5000] [--rounds=5]
 */

import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { importBundled } from "../bundle.ts";
import { cpuOf, median, table } from "../../lab/measuring/figures.ts";
import { automerge } from "../peers/crdt/automerge.ts";
import { loro } from "../peers/crdt/loro.ts";
import { yjs } from "../peers/crdt/yjs.ts";
import { measureBundles } from "./bundles.ts";
import { bytesOf, type Subject } from "./subject.ts";

const { values: options } = parseArgs({
  options: {
    strokes: { type: "string", default: "5000" },
    rounds: { type: "string", default: "5" },
  },
});
const count = Number(options.strokes);
const rounds = Number(options.rounds);

/** The number of visitors, who draw one after the other, each in a page of their own. */
const VISITORS = 10;
/** The number of strokes that are merged one by one. */
const MERGED = 200;

const { ours, makeStrokes } = await importBundled<typeof import("./ours.ts")>("bench/crdt/ours.ts");

const SUBJECTS: Readonly<Record<string, Subject>> = {
  Inkpool: ours,
  "Yjs, path as text": yjs("text"),
  "Yjs, path as numbers": yjs("numbers"),
  "Yjs, path as text, format 2": yjs("text", 2),
  "Automerge, path as text": automerge("text"),
  "Automerge, path as numbers": automerge("numbers"),
  "Loro, path as text": loro("text"),
  "Loro, path as numbers": loro("numbers"),
};

/** Returns a name of 13 characters, like those of the page's authors. */
const author = (index: number) => `6e${index % 10}${String(1e9 + index * 7919)}`;

/**
 * Runs the visits one after the other.
 * @param visit What each visitor does with a share of the strokes.
 */
function successively(
  subject: Subject,
  saved: any,
  first: number,
  strokes: readonly any[],
  visit: (replica: any, share: readonly any[]) => void,
) {
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

/** Returns every second id first, so that removed objects do not lie side by side. */
const scattered = (ids: readonly string[]) => [
  ...ids.filter((_, index) => index % 2 === 0),
  ...ids.filter((_, index) => index % 2 === 1),
];

function measureBytes(subject: Subject) {
  const board = successively(subject, null, 0, makeStrokes(count, 7), (replica, share) => {
    for (const stroke of share) subject.add(replica, stroke);
  });
  const sizes = makeStrokes(MERGED, 8).map((stroke: any) =>
    bytesOf(subject.add(board.replica, stroke).message),
  );
  const edited = successively(
    subject,
    board.row,
    VISITORS,
    makeStrokes(count, 9),
    (replica, share) => {
      const ids = share.map((stroke) => subject.add(replica, stroke).id);
      for (const id of scattered(ids)) subject.remove(replica, id);
    },
  );
  const left = subject.readAll(edited.replica).length;
  if (left !== count) throw new Error(`${left} strokes are left instead of ${count}`);
  return {
    row: board.row,
    message: median(sizes),
    fresh: bytesOf(board.row),
    gzipped: gzipSync(board.row).length,
    edited: bytesOf(edited.row),
    forgetful: bytesOf(
      subject.saveWithoutHistory?.(edited.replica) ?? subject.save(edited.replica),
    ),
    fabric: fabricObjects(board.row),
  };
}

/** Returns the number of objects that a program which knows only Fabric JSON finds in a row. */
function fabricObjects(row: string | Uint8Array) {
  try {
    const { objects } = JSON.parse(typeof row === "string" ? row : new TextDecoder().decode(row));
    return objects.filter(({ type, path }: any) => type === "Path" && path).length;
  } catch {
    return 0;
  }
}

/** Measures the CPU time in microseconds. */
function measureTimes(subject: Subject, row: any) {
  const sender = subject.open(row, author(50));
  const sent = makeStrokes(MERGED, 10).map((stroke: any) => subject.add(sender, stroke));
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

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
const whole = (value: number) => value.toLocaleString("en");

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

const times = new Map<string, { load: number; merge: number }[]>();
// The first round warms up the compiler.
for (let round = 0; round <= rounds; round++)
  for (const [name, { row }] of bytes) {
    // The slower form of a library adds no information.
    if (name.includes("numbers")) continue;
    const subject = SUBJECTS[name];
    if (subject === undefined) continue;
    const time = measureTimes(subject, row);
    if (round > 0) times.set(name, [...(times.get(name) ?? []), time]);
  }
const middle = new Map(
  [...times].map(([name, list]) => [
    name,
    { load: median(list.map(({ load }) => load)), merge: median(list.map(({ merge }) => merge)) },
  ]),
);
const base = middle.get("Inkpool") as { load: number; merge: number };
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

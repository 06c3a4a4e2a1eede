/** Whether memory is flat, and the curve as text. Pure. */

import { median, table } from "../figures.ts";

/** A tenth and so many MB more are no growth: of what contains garbage, and of what does not. */
const FACTOR = 1.1;
const ALLOWANCE = 10;
const ALLOWANCE_WITHOUT_GARBAGE = 2;
/** Seconds of age at which processes of one port are compared. */
const AGE = /** @type {const} */ ([40, 80]);

/** @typedef {import("./samples.mjs").Sample} Sample */
/** @typedef {import("./samples.mjs").ProcessSample} ProcessSample */
/** @typedef {{ what: string, before: number, after: number, isFlat: boolean }} Growth Megabytes. */

/**
 * @param {string} what @param {readonly number[]} before @param {readonly number[]} after @param {number} [allowance] MB.
 * @returns {Growth[]} None without numbers.
 */
function compareMemory(what, before, after, allowance = ALLOWANCE) {
  if (before.length === 0 || after.length === 0) return [];
  const [from, to] = [median(before), median(after)];
  return [{ what, before: from, after: to, isFlat: to <= from * FACTOR + allowance }];
}

/** The second quarter of a list beside its last. @param {string} what @param {readonly number[]} values @param {number} [allowance] MB. */
function compareQuarters(what, values, allowance) {
  const quarter = Math.floor(values.length / 4);
  const [before, after] = [
    values.slice(quarter, 2 * quarter),
    values.slice(values.length - quarter),
  ];
  return compareMemory(what, before, after, allowance);
}

/** Of a page or a process whose garbage was collected before each value. @param {string} what @param {readonly number[]} values MB. */
export const judgeCollected = (what, values) =>
  compareQuarters(`${what}, heap without garbage`, values, ALLOWANCE_WITHOUT_GARBAGE);

/**
 * A process that lived through everything: its second quarter beside its last. The processes that followed each other on a
 * port: the first half of them beside the second, at the same age.
 *
 * @param {readonly Sample[]} samples @returns {Growth[]}
 */
export function judgeProcesses(samples) {
  const all = samples.flatMap(({ processes }) => processes);
  return [...new Set(all.map(({ name }) => name))].flatMap((name) => {
    const own = all.filter((one) => one.name === name);
    const last = Math.max(...own.map(({ generation }) => generation));
    if (last === 0)
      return compareQuarters(
        `${name}, resident`,
        own.map(({ rss }) => rss),
      );
    const inAge = own.filter(({ age }) => age >= AGE[0] && age <= AGE[1]);
    const of = (/** @type {(one: ProcessSample) => boolean} */ counts) =>
      inAge.filter(counts).map(({ rss }) => rss);
    const middle = last / 2;
    return compareMemory(
      `${name}, ${last + 1} processes one after the other, resident at the same age`,
      of(({ generation }) => generation < middle),
      of(({ generation }) => generation > middle),
    );
  });
}

/** @param {readonly number[]} values @returns {string} One character for each. */
export function sparkline(values) {
  const bars = "▁▂▃▄▅▆▇█";
  const top = Math.max(...values, 1e-9);
  return values.map((value) => bars[Math.round((value / top) * (bars.length - 1))]).join("");
}

/**
 * One row for each minute.
 *
 * @param {readonly Sample[]} samples
 * @param {readonly { at: number, kind: string }[]} failures
 * @param {readonly { begin: number, cause: string }[]} interruptions
 */
export function curve(samples, failures, interruptions) {
  const minutes = [...new Set(samples.map(({ minute }) => minute))];
  const names = [
    ...new Set(samples.flatMap(({ processes }) => processes.map(({ name }) => name))),
  ].toSorted();
  let before = new Map();
  const rows = minutes.map((minute) => {
    const own = samples.filter((sample) => sample.minute === minute);
    const processes = own.flatMap((sample) => sample.processes);
    const [from, to] = [own[0]?.at ?? 0, own[0] === undefined ? 0 : own[0].at + 60_000];
    const inMinute = (/** @type {number} */ at) => at >= from && at < to;
    const totals = new Map(processes.map((one) => [`${one.name} ${one.generation}`, one]));
    const grown = (/** @type {"saves" | "conflicts"} */ what) =>
      [...totals].reduce((sum, [id, one]) => sum + one[what] - (before.get(id)?.[what] ?? 0), 0);
    const [saves, conflicts] = [grown("saves"), grown("conflicts")];
    before = new Map([...before, ...totals]);
    const last = own.at(-1);
    const each = (/** @type {(one: ProcessSample) => number} */ value) =>
      names
        .map((name) => last?.processes.find((one) => one.name === name))
        .map((one) => (one === undefined ? "-" : value(one).toFixed(0)))
        .join(" ");
    return [
      minute,
      each((one) => one.rss),
      each((one) => one.heap),
      (last?.heaps ?? []).map((heap) => heap.toFixed(0)).join(" "),
      (1000 * Math.max(0, ...processes.map(({ delay }) => delay))).toFixed(0),
      (last?.processes ?? []).reduce((sum, { sockets }) => sum + sockets, 0),
      Math.max(0, ...processes.map(({ pool }) => pool)),
      Math.min(...processes.map(({ peers }) => peers)),
      saves,
      conflicts,
      failures.filter(({ at, kind }) => inMinute(at) && kind.startsWith("5")).length,
      failures.filter(({ at, kind }) => inMinute(at) && !kind.startsWith("5")).length,
      interruptions
        .filter(({ begin }) => inMinute(begin))
        .map(({ cause }) => cause)
        .join(", "),
    ];
  });
  return table(
    [
      "minute",
      "resident MB",
      "heap MB",
      "page heaps MB",
      "loop p99 ms",
      "sockets",
      "pool at most",
      "fewest peers",
      "saves",
      "conflicts",
      "503",
      "cut",
      "what went wrong",
    ],
    rows,
  );
}

/** Judges whether memory is flat, and draws the curve as text. Pure. */

import { median, table } from "../measuring/figures.ts";
import type { Sample, ProcessSample } from "./samples.ts";

/** The growth that counts as none: a tenth, and so many MB for memory with garbage and without. */
const FACTOR = 1.1;
const ALLOWANCE = 10;
const ALLOWANCE_WITHOUT_GARBAGE = 2;
/** Seconds of age at which processes of one port are compared. */
const AGE = [40, 80] as const;

/** A growth in megabytes. */
interface Growth {
  what: string;
  before: number;
  after: number;
  isFlat: boolean;
}

/**
 * Compares two lists.
 * @param allowance MB.
 * @returns None without numbers.
 */
function compareMemory(
  what: string,
  before: readonly number[],
  after: readonly number[],
  allowance: number = ALLOWANCE,
): Growth[] {
  if (before.length === 0 || after.length === 0) return [];
  const [from, to] = [median(before), median(after)];
  return [{ what, before: from, after: to, isFlat: to <= from * FACTOR + allowance }];
}

/**
 * Compares the second quarter of a list with its last.
 *
 * @param allowance MB.
 */
function compareQuarters(what: string, values: readonly number[], allowance?: number) {
  const quarter = Math.floor(values.length / 4);
  const [before, after] = [
    values.slice(quarter, 2 * quarter),
    values.slice(values.length - quarter),
  ];
  return compareMemory(what, before, after, allowance);
}

/**
 * Judges the heap of a page or a process whose garbage was collected before each value.
 *
 * @param values MB.
 */
export const judgeCollected = (what: string, values: readonly number[]) =>
  compareQuarters(`${what}, heap without garbage`, values, ALLOWANCE_WITHOUT_GARBAGE);

/**
 * Judges the processes: for one that lived throughout, its second quarter beside its last; for those that followed
 * each other on a port, the first half of them beside the second, at the same age.
 *
 * @param attacked Name of the process whose resident memory follows the attacks: it is left out.
 */
export function judgeProcesses(samples: readonly Sample[], attacked: string): Growth[] {
  const all = samples.flatMap(({ processes }) => processes).filter(({ name }) => name !== attacked);
  return [...new Set(all.map(({ name }) => name))].flatMap((name) => {
    const own = all.filter((one) => one.name === name);
    const last = Math.max(...own.map(({ generation }) => generation));
    if (last === 0)
      return compareQuarters(
        `${name}, resident`,
        own.map(({ rss }) => rss),
      );
    const inAge = own.filter(({ age }) => age >= AGE[0] && age <= AGE[1]);
    const of = (counts: (one: ProcessSample) => boolean) =>
      inAge.filter(counts).map(({ rss }) => rss);
    const middle = last / 2;
    return compareMemory(
      `${name}, ${last + 1} processes one after the other, resident at the same age`,
      of(({ generation }) => generation < middle),
      of(({ generation }) => generation > middle),
    );
  });
}

/**
 * Draws values.
 * @returns One character for each.
 */
export function sparkline(values: readonly number[]): string {
  const bars = "▁▂▃▄▅▆▇█";
  const top = Math.max(...values, 1e-9);
  return values.map((value) => bars[Math.round((value / top) * (bars.length - 1))]).join("");
}

/** Returns one row for each minute. */
export function curve(
  samples: readonly Sample[],
  failures: readonly { at: number; kind: string }[],
  interruptions: readonly { begin: number; cause: string }[],
) {
  const minutes = [...new Set(samples.map(({ minute }) => minute))];
  const names = [
    ...new Set(samples.flatMap(({ processes }) => processes.map(({ name }) => name))),
  ].toSorted();
  let before = new Map<string, ProcessSample>();
  const rows = minutes.map((minute) => {
    const own = samples.filter((sample) => sample.minute === minute);
    const processes = own.flatMap((sample) => sample.processes);
    const [from, to] = [own[0]?.at ?? 0, own[0] === undefined ? 0 : own[0].at + 60_000];
    const inMinute = (at: number) => at >= from && at < to;
    const totals = new Map(processes.map((one) => [`${one.name} ${one.generation}`, one]));
    const grown = (what: "saves" | "conflicts") =>
      [...totals].reduce((sum, [id, one]) => sum + one[what] - (before.get(id)?.[what] ?? 0), 0);
    const [saves, conflicts] = [grown("saves"), grown("conflicts")];
    before = new Map([...before, ...totals]);
    const last = own.at(-1);
    const each = (value: (one: ProcessSample) => number) =>
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

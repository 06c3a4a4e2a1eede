/** What benches do with numbers: medians, turns, tables. */

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return /** @type {number} */ (sorted[Math.floor(sorted.length / 2)]);
}

/**
 * Runs what is compared in turns, so that a busy machine meets all alike.
 *
 * @template {string} Name
 * @param {Readonly<Record<Name, () => number | Promise<number>>>} subjects Each returns its measured value.
 * @param {number} rounds
 * @returns {Promise<Record<Name, number>>} Medians, without a first round that warms the compiler up.
 */
export async function compare(subjects, rounds) {
  const names = /** @type {Name[]} */ (Object.keys(subjects));
  const values = new Map(names.map((name) => [name, /** @type {number[]} */ ([])]));
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const value = await subjects[name]();
      if (round > 0) values.get(name)?.push(value);
    }
  const entries = [...values].map(([name, list]) => [name, median(list)]);
  return /** @type {Record<Name, number>} */ (Object.fromEntries(entries));
}

/** CPU time of this process in microseconds, all its threads. @param {() => void} work */
export function cpuOf(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** @param {readonly string[]} head @param {readonly (readonly (string | number)[])[]} rows */
export function table(head, rows) {
  const ruler = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, ruler, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Three digits. @param {number} value */
export function digits(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}

/** What benches do with numbers: medians, turns, tables. */

export function median(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/**
 * Runs what is compared in turns, so that a busy machine meets all alike.
 *
 * @param subjects Each returns its measured value.
 * @returns Medians, without a first round that warms the compiler up.
 */
export async function compare<Name extends string>(
  subjects: Readonly<Record<Name, () => number | Promise<number>>>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(subjects) as Name[];
  const values = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const value = await subjects[name]();
      if (round > 0) values.get(name)?.push(value);
    }
  const entries = [...values].map(([name, list]) => [name, median(list)]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** CPU time of this process in microseconds, all its threads. */
export function cpuOf(work: () => void) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]) {
  const ruler = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, ruler, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Three digits. */
export function digits(value: number) {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}

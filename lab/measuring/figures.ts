/** Computes with the numbers of benches: medians, turns, tables. */

export function median(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/**
 * Runs the compared subjects in turns, so that a busy machine affects all alike.
 *
 * @param subjects Each returns its measured value.
 * @returns Medians, without a first round that warms up the compiler.
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

/** Returns the CPU time of this process in microseconds, of all its threads. */
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

/** Writes a number with three digits. */
export function digits(value: number) {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}

/** Finds programs of this machine. */

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the first of these programs that exists, by its path or by its name in PATH; null when none does. */
export function findProgram(names: readonly string[]): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const paths = names.flatMap((name) =>
    name.startsWith("/") ? [name] : folders.map((folder) => join(folder, name)),
  );
  return paths.find((path) => existsSync(path)) ?? null;
}

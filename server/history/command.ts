/** The commands of `npm run history`: an operator's request as data, and its result. */

import { parseArgs } from "node:util";
import {
  listVersions,
  readVersion,
  replaceDrawing,
  type StoredVersion,
} from "../storage/history.ts";
import type { Database } from "../storage/port.ts";
import { hasTable } from "../storage/tables.ts";
import { restoredDrawing, type RestoreEnvironment } from "./restore.ts";

export const USAGE = `usage: npm --silent run history -- COMMAND [--data-dir DIR]
in the package: inkpool history COMMAND [--data-dir DIR]
  list           the versions, the newest first
  show ID        the drawing of a version, as JSON on stdout
  restore ID     saves a version again; what it replaces is kept as a version
The database is that of the settings: DATABASE_URL, or the one in DATA_DIR or in --data-dir.`;

export type Command =
  | { readonly kind: "list" }
  | { readonly kind: "show" | "restore"; readonly id: number };

export interface Arguments {
  readonly command: Command;
  /** The folder in place of DATA_DIR; null when it is not given. */
  readonly dataDir: string | null;
}

/** A request that cannot be carried out: one line, without a stack. */
export class CommandFault extends Error {}

/** Parses the arguments; null for anything that is no command. */
export function parseArguments(args: readonly string[]): Arguments | null {
  const options = { "data-dir": { type: "string" } } as const;
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    return null;
  }
  const dataDir = parsed.values["data-dir"] ?? null;
  const [kind, id, ...more] = parsed.positionals;
  if (dataDir === "" || more.length > 0) return null;
  if (kind === "list") return id === undefined ? { command: { kind }, dataDir } : null;
  if ((kind !== "show" && kind !== "restore") || !/^\d{1,15}$/.test(id ?? "")) return null;
  return { command: { kind, id: Number(id) }, dataDir };
}

/**
 * Carries out a command and returns the text for stdout.
 * @throws CommandFault when there is no such version, or no history
 */
export async function runCommand(
  database: Database,
  command: Command,
  environment: RestoreEnvironment,
): Promise<string> {
  if (!(await hasTable(database, "canvas_history")))
    throw new CommandFault("the database has no history yet; start the server on it once");
  if (command.kind === "list") return formatList(await listVersions(database));
  const { id } = command;
  const version = await readVersion(database, id);
  if (version === null)
    throw new CommandFault(`there is no version ${id}; list shows those there are`);
  if (command.kind === "show") return version;
  const compose = (current: string | null): string =>
    restoredDrawing(version, current, environment);
  await replaceDrawing(database, compose, environment.now);
  return `version ${id} is restored\n`;
}

const HEADINGS = ["ID", "SAVED", "REPLACED", "OBJECTS", "BYTES", ""] as const;

/** Returns a table with a line for each version, for people and programs alike. */
function formatList(versions: readonly StoredVersion[]): string {
  const lines = versions.map(({ id, savedAt, replacedAt, objects, bytes, loss }) => [
    String(id),
    shortTime(savedAt),
    shortTime(replacedAt),
    String(objects),
    String(bytes),
    loss ? "before a loss" : "",
  ]);
  const table = [[...HEADINGS], ...lines];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...table.map((line) => line[column]?.length ?? 0)),
  );
  const isText = (column: number): boolean => column === 1 || column === 2 || column === 5;
  return table
    .map((line) => {
      const cells = line.map((cell, column) => {
        const width = widths[column] ?? 0;
        return isText(column) ? cell.padEnd(width) : cell.padStart(width);
      });
      return `${cells.join("  ").trimEnd()}\n`;
    })
    .join("");
}

/** Returns `2026-11-21T00:08:09.291+00:00` as `2026-11-21 00:08:09`, in UTC. */
function shortTime(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}

/** Examines the content of a backup: whether it is undamaged, with the whiteboard's tables and nothing that runs by itself. */

import Driver from "libsql";
import { canvasSteps } from "../storage/setup/schema.ts";
import type { Database } from "../storage/port.ts";
import { runProgram } from "./postgres-programs.ts";

export interface Contents {
  readonly objects: number;
  /** The number of drawings in the history. */
  readonly versions: number;
}

/** Returns a text such as "12 objects, 3 versions". */
export function describeContents({ objects, versions }: Contents): string {
  const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;
  return `${count(objects, "object")}, ${count(versions, "version")}`;
}

/** The tables without which a database is an empty file, or not of this program. */
const TABLES = ["canvas_state", "inkpool_migrations"] as const;

const OTHER_VERSION = "is none of this version or an older one";

const COUNTS = {
  objects: {
    sqlite: `select coalesce(sum(case when json_valid(canvas_json)
      then json_array_length(canvas_json, '$.objects') end), 0) as count from canvas_state`,
    postgres:
      "select coalesce(sum(public.canvas_history_count(canvas_json)), 0) as count from public.canvas_state",
  },
  versions: "select count(*) as count from canvas_history",
} as const;

/**
 * Reads a file that nobody else uses: SQLite may write beside a file that it opens.
 * @throws Error unless the file is an undamaged database of the whiteboard
 */
export function inspectDatabase(file: string): Contents {
  const database = new Driver(file, { readonly: true });
  try {
    const read = (sql: string): Record<string, unknown>[] =>
      database.prepare(sql).all([]) as Record<string, unknown>[];
    const found = String(read("pragma quick_check")[0]?.["quick_check"]);
    // What SQLite finds has several lines.
    if (found !== "ok") throw new Error(found.replaceAll(/\s+/g, " "));
    const schema = readSchema(database);
    for (const table of TABLES)
      if (!schema.some(({ type, name }) => type === "table" && name === table))
        throw new Error(`it has no table ${table}`);
    const known = new Set(knownCode());
    for (const { type, name, sql } of schema)
      if ((type === "trigger" || type === "view") && !known.has(sql))
        throw new Error(`its ${type} ${name} ${OTHER_VERSION}`);
    const count = (sql: string): number => Number(read(sql)[0]?.["count"]);
    const hasHistory = schema.some(({ name }) => name === "canvas_history");
    return {
      objects: count(COUNTS.objects.sqlite),
      versions: hasHistory ? count(COUNTS.versions) : 0,
    };
  } finally {
    database.close();
  }
}

interface SchemaEntry {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

function readSchema(database: Driver.Database): readonly SchemaEntry[] {
  return database.prepare("select type, name, sql from sqlite_master").all([]) as SchemaEntry[];
}

/** Returns the text of each trigger and view that a step has ever made. */
function knownCode(): readonly string[] {
  const database = new Driver(":memory:");
  const found = canvasSteps().flatMap(({ sqlite }) => {
    database.exec(sqlite);
    return readSchema(database).map(({ sql }) => sql);
  });
  database.close();
  return found;
}

/** The beginnings of the names of the whiteboard's tables, as a pattern. Others may share the database. */
export const OWN_TABLES = "(canvas|auth|inkpool)_";

/** Matches the entries of pg_restore --list that are the whiteboard's own. */
const OWN = new RegExp(
  `^\\d+; \\d+ \\d+ (?:${[
    "(?:FUNCTION public|(?:ACL|COMMENT) public FUNCTION) canvas_",
    `(?:TABLE|TABLE DATA|SEQUENCE|SEQUENCE OWNED BY|SEQUENCE SET|DEFAULT) public ${OWN_TABLES}`,
    `(?:INDEX|(?:FK |CHECK )?CONSTRAINT|TRIGGER|RULE|POLICY|ROW SECURITY) public ${OWN_TABLES}`,
    `(?:ACL|COMMENT) public (?:TABLE|COLUMN|SEQUENCE) ${OWN_TABLES}`,
  ].join("|")})`,
);

/** Matches those of them that run by themselves. */
const CODE = / (?:TRIGGER|RULE|FUNCTION) public /;
const BODY = /^CREATE FUNCTION public\.canvas_[^$]*AS (\$\w*\$)([^]*?)\1;$/gm;

/**
 * Reads the list of a dump and the text of its functions.
 * @returns the entries of the whiteboard, as pg_restore --use-list takes them
 * @throws CommandFault unless the file is a dump, Error unless it is one of the whiteboard
 */
export async function inspectDump(file: string): Promise<string> {
  const list = await runProgram("pg_restore", null, ["--list", file]);
  for (const table of TABLES)
    if (!new RegExp(`; \\d+ \\d+ TABLE DATA public ${table} `).test(list))
      throw new Error(`it has no table ${table}`);
  const steps = canvasSteps().map(({ postgres }) => postgres);
  const own = list.split("\n").filter((line) => OWN.test(line));
  const foreign = own.find(
    (line) => CODE.test(line) && !steps.some((sql) => sql.includes(makingOf(line))),
  );
  if (foreign !== undefined) throw new Error(`${JSON.stringify(foreign)} ${OTHER_VERSION}`);
  const text = await runProgram("pg_restore", null, ["--schema-only", "--file=-", file]);
  for (const [, , body = ""] of text.matchAll(BODY))
    if (!steps.some((sql) => sql.includes(body)))
      throw new Error(`one of its functions ${OTHER_VERSION}`);
  return own.join("\n");
}

/**
 * Returns the beginning of the statement by which a step makes an entry of the list, such as `4; 12 345 TRIGGER
 * public canvas_state canvas_history_keep owner`.
 */
function makingOf(line: string): string {
  const [type, schema, table, name] = line.split(" ").slice(3);
  if (type === "TRIGGER") return `drop trigger if exists ${name} on ${schema}.${table};`;
  return type === "FUNCTION" ? `function ${schema}.${table?.replace(/\(.*$/, "(")}` : "\0";
}

/** Counts the content of a database of PostgreSQL. */
export async function countContents(database: Database): Promise<Contents> {
  const count = async (sql: string): Promise<number> =>
    Number((await database.query(sql)).rows[0]?.["count"]);
  return { objects: await count(COUNTS.objects.postgres), versions: await count(COUNTS.versions) };
}

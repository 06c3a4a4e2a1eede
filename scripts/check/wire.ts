/** Compares the broadcast messages with SPEC.md: each field of their types has a row in its table, and each row a field. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, report } from "../report.ts";
import { ROOT } from "../root.mjs";
import { type Node, parse, walk } from "../syntax.ts";

/** A field of a message: its path, such as `saved.at`, and whether it may be left out. */
interface Field {
  readonly message: string;
  readonly field: string;
  readonly optional: boolean;
}

/** The types on the wire, and the message that each of them is, or is part of. */
const TYPES: readonly { path: string; type: string; message: string }[] = [
  { path: "board/messages.ts", type: "UpdateMessage", message: "canvas-update" },
  { path: "board/messages.ts", type: "DigestMessage", message: "canvas-digest" },
  { path: "board/messages.ts", type: "EncodedLiveMessage", message: "canvas-live" },
  { path: "board/messages.ts", type: "EncodedInkDetails", message: "canvas-live" },
  { path: "board/presence.ts", type: "PresenceMeta", message: "presence" },
  {
    path: "board/presence-summary.ts",
    type: "PresenceSummary",
    message: "presence_summary",
  },
];

const HEADING = "### Broadcast messages";

/**
 * Returns the fields of one interface; for a field that is an object itself, the fields in it.
 * @returns Null when the source has no such interface.
 */
export function fieldsOf(
  path: string,
  source: string,
  type: string,
): { field: string; optional: boolean }[] | null {
  let fields: { field: string; optional: boolean }[] | null = null;
  walk(parse(path, source).program, (node) => {
    if (node.type === "TSInterfaceDeclaration" && node.id.name === type)
      fields = membersOf(node.body.body, "");
  });
  return fields;
}

function membersOf(
  members: readonly Node[],
  prefix: string,
): { field: string; optional: boolean }[] {
  return members.flatMap((member) => {
    if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") return [];
    const field = `${prefix}${member.key.name}`;
    const type = member.typeAnnotation?.typeAnnotation;
    return type?.type === "TSTypeLiteral"
      ? membersOf(type.members, `${field}.`)
      : [{ field, optional: member.optional === true }];
  });
}

/** Returns the rows of the table under the heading; a field whose type says "optional" may be left out. */
export function rowsOf(spec: string): Field[] {
  const lines = spec.split("\n");
  const start = lines.indexOf(HEADING);
  if (start < 0) return [];
  const next = lines.findIndex((line, at) => at > start && line.startsWith("#"));
  return lines
    .slice(start, next < 0 ? lines.length : next)
    .filter((line) => line.startsWith("| `"))
    .map((line) => {
      const [message = "", field = "", type = ""] = line
        .split("|")
        .slice(1)
        .map((cell) => cell.trim().replaceAll("`", ""));
      return { message, field, optional: /\boptional\b/.test(type) };
    });
}

/**
 * Compares fields with rows.
 * @param fields The fields in the sources.
 * @param rows The rows of SPEC.md.
 */
export function compareWire(fields: readonly Field[], rows: readonly Field[]): string[] {
  const nameOf = ({ message, field }: Field) => `${message}: ${field}`;
  const written = new Map(rows.map((row) => [nameOf(row), row]));
  const known = new Set(fields.map(nameOf));
  return [
    ...fields.flatMap((field) => {
      const row = written.get(nameOf(field));
      if (row === undefined) return [`SPEC.md has no row for ${nameOf(field)}`];
      // The row of a field in an object may say so about the object.
      if (row.optional === field.optional || field.field.includes(".")) return [];
      return [
        `${nameOf(field)} is ${field.optional ? "" : "not "}optional; SPEC.md says otherwise`,
      ];
    }),
    ...rows
      .filter((row) => !known.has(nameOf(row)))
      .map((row) => `SPEC.md has a row for ${nameOf(row)}, which no message has`),
    ...rows
      .map(nameOf)
      .filter((name, at, names) => names.indexOf(name) !== at)
      .map((name) => `SPEC.md has two rows for ${name}`),
  ];
}

function readFields(): { fields: Field[]; problems: string[] } {
  const fields: Field[] = [];
  const problems = [];
  for (const { path, type, message } of TYPES) {
    const found = fieldsOf(path, readFileSync(join(ROOT, path), "utf8"), type);
    if (found === null || found.length === 0) problems.push(`${path} has no interface ${type}`);
    fields.push(...(found ?? []).map((field) => ({ message, ...field })));
  }
  return { fields, problems };
}

if (isMain(import.meta.url)) {
  const { fields, problems } = readFields();
  const rows = rowsOf(readFileSync(join(ROOT, "SPEC.md"), "utf8"));
  report("wire", [...problems, ...compareWire(fields, rows)], `${fields.length} fields`);
}

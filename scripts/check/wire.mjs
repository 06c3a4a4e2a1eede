/** The broadcast messages and SPEC.md: each field of their types has a row in its table, and each row a field. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, report } from "./report.mjs";
import { ROOT } from "../root.mjs";
import { parse, walk } from "./syntax.mjs";

/** @typedef {import("./syntax.mjs").Node} Node */

/**
 * A field of a message: its path, such as `saved.at`, and whether it may be left out.
 *
 * @typedef {{ message: string, field: string, optional: boolean }} Field
 */

/**
 * The types that go over the wire, and the message that each is or is part of.
 *
 * @type {readonly { path: string, type: string, message: string }[]}
 */
const TYPES = [
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
 * The fields of one interface; of a field that is an object itself, the fields in it.
 *
 * @param {string} path
 * @param {string} source
 * @param {string} type
 * @returns {{ field: string, optional: boolean }[] | null} Null when the source has no such interface.
 */
export function fieldsOf(path, source, type) {
  /** @type {{ field: string, optional: boolean }[] | null} */
  let fields = null;
  walk(parse(path, source).program, (node) => {
    if (node.type === "TSInterfaceDeclaration" && node.id.name === type)
      fields = membersOf(node.body.body, "");
  });
  return fields;
}

/** @param {readonly Node[]} members @param {string} prefix @returns {{ field: string, optional: boolean }[]} */
function membersOf(members, prefix) {
  return members.flatMap((member) => {
    if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") return [];
    const field = `${prefix}${member.key.name}`;
    const type = member.typeAnnotation?.typeAnnotation;
    return type?.type === "TSTypeLiteral"
      ? membersOf(type.members, `${field}.`)
      : [{ field, optional: member.optional === true }];
  });
}

/**
 * The rows of the table under the heading; a field whose type says "optional" may be left out.
 *
 * @param {string} spec
 * @returns {Field[]}
 */
export function rowsOf(spec) {
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
 * @param {readonly Field[]} fields Of the sources.
 * @param {readonly Field[]} rows Of SPEC.md.
 * @returns {string[]}
 */
export function compareWire(fields, rows) {
  const nameOf = (/** @type {Field} */ { message, field }) => `${message}: ${field}`;
  const written = new Map(rows.map((row) => [nameOf(row), row]));
  const known = new Set(fields.map(nameOf));
  return [
    ...fields.flatMap((field) => {
      const row = written.get(nameOf(field));
      if (row === undefined) return [`SPEC.md has no row for ${nameOf(field)}`];
      // The row of a field in an object may say so of the object.
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

/** @returns {{ fields: Field[], problems: string[] }} */
function readFields() {
  /** @type {Field[]} */
  const fields = [];
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

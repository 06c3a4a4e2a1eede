#!/usr/bin/env node
/** The command of the package: `inkpool` starts the server; `inkpool history`, `host-link`, `backup` and `restore` are the operator's. */

import { existsSync } from "node:fs";

// As scripts/node-version.mjs, which the package does not have.
const { node } = process.versions;
const [major = 0, minor = 0] = node.split(".").map(Number);
if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
  console.error(`Inkpool needs Node.js 20.19, 22.12, 24 or newer; this is ${node}.`);
  process.exit(1);
}

const COMMANDS = new Map([
  ["history", "history/main.js"],
  ["host-link", "host-link/main.js"],
  ["backup", "backup/main.js"],
  ["restore", "backup/main.js"],
]);

const given = process.argv[2];
const command = given === undefined ? "main.js" : COMMANDS.get(given);
const entry = new URL(`../dist/server/server/${command ?? ""}`, import.meta.url);

try {
  process.cwd();
} catch {
  console.error("inkpool: the current folder was removed; expected a start in one that exists");
  process.exit(1);
}
if (command === undefined) {
  console.error(
    `inkpool: ${given} is unknown; expected nothing, or one of ${[...COMMANDS.keys()].join(", ")}`,
  );
  process.exit(2);
}
if (!existsSync(entry)) {
  console.error(
    "inkpool: this package was packed without its build; expected one that npm run package made",
  );
  process.exit(1);
}
// The commands read the arguments after their own name.
if (given === "history" || given === "host-link") process.argv.splice(2, 1);
await import(entry.href);

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Shows the linter faults that it must find: a rule that was renamed or switched off would stay silent. */

const ROOT = join(import.meta.dirname, "../..");
const PATH = [join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "inkpool-lint-"));
  const lines = (count: number) => "  call();\n".repeat(count);
  const files: Record<string, string> = {
    "long-function.ts": `export function long(): void {\n${lines(81)}}\n`,
    "fitting-function.ts": `export function fits(): void {\n${lines(40)}\n  // A comment.\n${lines(36)}}\n`,
    "suite.test.ts": `describe("a list", () => {\n${lines(300)}});\n`,
    "long.ts": "export {};\n".repeat(321),
    "long.test.ts": "export {};\n".repeat(321),
    "params.ts":
      "export const f = (a: 1, b: 1, c: 1, d: 1, e: 1, g: 1): unknown => [a, b, c, d, e, g];\n",
    "twice.ts":
      'import { a } from "./a.ts";\nimport type { B } from "./a.ts";\nexport const b: B = a;\n',
    "names.ts":
      'import { execSync } from "node:child_process";\nimport React from "react";\nimport { it } from "vitest";\nexport const used = [execSync, React, it];\n',
    "other-names.ts":
      'import { execFile } from "node:child_process";\nimport { useState } from "react";\nimport { test } from "vitest";\nexport const used = [execFile, useState, test];\n',
    "untyped.ts": 'import { B } from "./a.ts";\nexport const b: B = 1;\n',
    "effect.ts": 'import { type B } from "./a.ts";\nexport const b: B = 1;\n',
    "style.ts":
      'import type { B } from "./a.ts";\nimport { b, type C } from "./b.ts";\nexport const c: B & C = b;\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("long functions and files, many parameters, other styles of type imports and restricted names are found", () => {
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(ROOT, "node_modules/oxlint/bin/oxlint"),
      ...["--config", join(ROOT, ".oxlintrc.json"), "--format", "json", "."],
    ],
    // Outside the repository the linter searches the PATH for its type-aware half.
    { cwd: folder, encoding: "utf8", env: { ...process.env, PATH } },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { filename: string; code: string; severity: string }[];
  };
  const found = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ filename, code }) => `${filename} ${code}`);
  expect(found.toSorted()).toEqual([
    "effect.ts typescript(no-import-type-side-effects)",
    "long-function.ts eslint(max-lines-per-function)",
    "long.test.ts eslint(max-lines)",
    "long.ts eslint(max-lines)",
    ...Array.from({ length: 3 }, () => "names.ts eslint(no-restricted-imports)"),
    "params.ts eslint(max-params)",
    "twice.ts import(no-duplicates)",
    "untyped.ts typescript(consistent-type-imports)",
  ]);
});

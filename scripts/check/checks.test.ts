import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkDocument } from "./documents.ts";
import { problemsOf, strays } from "./files.ts";
import { checkImports, importsOf } from "./imports.ts";
import { checkNames } from "./layout.ts";
import { compareRules } from "./rules.ts";
import { playwrightTally, vitestTally } from "../test/runners.mjs";

/** Shows each check something wrong: one that stays green then checks nothing. */

describe("imports", () => {
  test("every way to write an import is seen, and none in a comment", () => {
    const source = `
      import type { A } from "./a.ts";
      import b, { c } from "./b.ts";
      import {
        long,
      } from "./long.ts";
      import "./effect.ts";
      export * from "./all.ts";
      export { d } from "../d.ts";
      const lazy = import("./lazy.ts");
      type Loaded = typeof import("./type.ts");
      const worker = new Worker(new URL("./worker.ts", import.meta.url));
      // import "./comment.ts";
      /* import "./block.ts"; */
      const url = "https://example.org"; import "pkg";
    `;
    const edges = importsOf("board/x.ts", source);
    expect(edges.map((edge) => edge.to)).toEqual([
      "board/a.ts",
      "board/b.ts",
      "board/long.ts",
      "board/effect.ts",
      "board/all.ts",
      "d.ts",
      "board/lazy.ts",
      "board/type.ts",
      "board/worker.ts",
      "pkg",
    ]);
  });

  test("the canary breaks each kind of rule, and nothing else is found in it", () => {
    const { problems } = checkImports(join(import.meta.dirname, "canary"));
    expect(problems.filter((problem) => !problem.includes("in a circle"))).toEqual([
      "the row of web/sync/ has an empty cell",
      "web/sync/ has two rows",
      'server/table/port.ts is a port, but has more than types: import { join } from "../realtime/join.ts";',
      "server/table/port.ts is a port, but has more than types: export const joined = true;",
      "board/forbidden.ts imports node:fs: ARCHITECTURE's table does not allow it",
      "server/table/forbidden.ts imports web/ui/forbidden.ts: ARCHITECTURE's table does not allow it",
      "server/table/forbidden.ts imports server/table/gone.ts, which does not exist",
      "server/table/forbidden.ts imports the test server/table/examined.spec.ts",
      "web/sync/forbidden.ts imports react: ARCHITECTURE's table does not allow it",
      "web/ui/forbidden.ts imports @supabase/supabase-js: ARCHITECTURE's table does not allow it",
      "server/storage/storage-driver.ts repeats the name of its folder",
      "server/full/ has 15 sources, more than 14",
      "server/storage/ has no row in ARCHITECTURE's table",
      "web/ui/ may import web/sync/, but does not",
      "web/sync/ has a row, but no sources",
      "server/realtime/ may import server/table/, but does not",
      "server/empty/ has a row, but no sources",
      "what server/table/ may import leads back to it",
      "what server/realtime/ may import leads back to it",
    ]);
  });

  test("a circle is found whose imports are of types only, or come late", () => {
    const { problems } = checkImports(join(import.meta.dirname, "canary"));
    expect(problems.filter((problem) => problem.startsWith("imports in a circle"))).toEqual([
      "imports in a circle: server/realtime/join.ts -> server/realtime/leave.ts -> server/realtime/join.ts",
      "imports in a circle: web/sync/loaded.ts -> web/sync/loader.ts -> web/sync/loaded.ts",
    ]);
  });

  test("a name that begins with its folder's is found, in the singular and of a style sheet too", () => {
    const names = [
      "web/ui/dock/dock.css",
      "web/ui/lines/line-ends.ts",
      "web/ui/dock/dock-fold.css",
    ];
    const allowed = ["web/ui/dock/DockPanel.tsx", "web/ui/lines/linear.ts"];
    expect(checkNames([...names, ...allowed])).toEqual([
      "web/ui/lines/line-ends.ts repeats the name of its folder",
      "web/ui/dock/dock-fold.css repeats the name of its folder",
    ]);
  });

  test("folders whose imports run both ways are found within one row", () => {
    const { problems } = checkImports(join(import.meta.dirname, "canary"));
    expect(problems.filter((problem) => problem.startsWith("folders in a circle"))).toEqual([
      "folders in a circle: bench/load/ -> bench/report/ -> bench/load/",
    ]);
  });
});

describe("rules and tests", () => {
  const spec = "- **AB-1** One.\n- **AB-2** Two.\n";

  test("both directions are compared", () => {
    const source =
      'test("AB-1 one"); test("AB-3: three"); expect("UTF-8 text"); test("CD-1 of no area");';
    expect(compareRules(spec, [{ path: "a.test.ts", source }])).toEqual([
      "no test names rule AB-2",
      "a.test.ts names rule AB-3, which SPEC.md does not have",
      "a.test.ts names rule CD-1, which SPEC.md does not have",
    ]);
  });

  test("one behaviour in two rules is a problem: a test's title names one", () => {
    const source = 'test("AB-1, AB-2 both"); test("AB-1 AB-2: both"); test(`AB-2, AB-2 twice`)';
    expect(compareRules(spec, [{ path: "a.test.ts", source }])).toEqual([
      "a.test.ts names AB-1, AB-2 in one title: one behaviour, one rule",
      "a.test.ts names AB-1 AB-2 in one title: one behaviour, one rule",
      "a.test.ts names AB-2, AB-2 in one title: one behaviour, one rule",
    ]);
  });

  test("a rule given twice, one that is too long, and an empty SPEC are problems", () => {
    const source = 'test("AB-1 one"); test("AB-2 two")';
    expect(compareRules(spec, [{ path: "a.test.ts", source }])).toEqual([]);
    expect(compareRules(`${spec}- **AB-1** Again.`, [{ path: "a.test.ts", source }])).toHaveLength(
      1,
    );
    expect(compareRules("", [])).toEqual(["SPEC.md has no rules"]);
    const long = `- **AB-1** ${"x".repeat(401)}\n`;
    expect(compareRules(long, [])).toContain("rule AB-1 has 401 characters, more than 400");
  });
});

describe("documents", () => {
  const truth = {
    paths: new Set(["board", "board/merge.ts", "docs", "docs/a.md"]),
    scripts: new Set(["start"]),
    sources: 'process.env.PORT_RANGE; "PGRST116"; "/healthz"; function mergeInto() {}',
  };

  test("references that exist pass", () => {
    const text =
      "`board/merge.ts` `board/` `board/*.ts` `merge.ts` `npm start` `PORT_RANGE=1` `PGRST116` `/healthz` `mergeInto()` [a](a.md)";
    expect(checkDocument("docs/b.md", text, truth)).toEqual([]);
  });

  test.each([
    ["`board/gone.ts`", "board/gone.ts does not exist"],
    ["`gone.ts`", "gone.ts does not exist"],
    ["`board/*.css`", "board/*.css does not exist"],
    ["`npm run gone`", "npm has no script gone"],
    ["```\nPORT=1 npm run gone\n```", "npm has no script gone"],
    ["`GONE_SETTING`", "GONE_SETTING is in no source"],
    ["```\nGONE_SETTING=1\n```", "GONE_SETTING is in no source"],
    ["`gone_code`", "gone_code is in no source"],
    ["`PGRST999`", "PGRST999 is in no source"],
    ["`goneFunction()`", "goneFunction is in no source"],
    ["`/gone`", "nothing serves /gone"],
    ["[x](gone.md)", "the link to gone.md leads nowhere"],
    ["`node scripts/gone.mjs`", "scripts/gone.mjs does not exist"],
  ])("%s is found", (text, problem) => {
    const problems = checkDocument("docs/b.md", text, truth);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });
});

describe("files", () => {
  test("a long style sheet, an unfinished note, a machine's path and a registry's address are found", () => {
    const text = [
      "// TODO later",
      'open("/root/x")',
      "https://registry.example.org/x",
      ...Array<string>(400).fill(""),
    ].join("\n");
    expect(problemsOf("web/a.css", text)).toHaveLength(4);
    const sided = [
      "  margin-left: 1px;",
      "  text-align: right;",
      "  left: 8px;",
      "  padding: 0 1px 0 var(--b);",
    ];
    expect(problemsOf("web/b.css", sided.join("\n"))).toHaveLength(4);
    const alike = ["  left: 50%;", "  padding: 0 1px 0 1px;", "  right: 8px; /* As the canvas. */"];
    expect(problemsOf("web/b.css", alike.join("\n"))).toEqual([]);
    expect(problemsOf("board/a.ts", 'const fine = "a/work/b";\n')).toEqual([]);
    expect(strays(["dump.rdb", "server/a.ts", ".ci/run", "bench/.npmrc", "core"])).toEqual([
      "dump.rdb is of a kind that the repository does not have",
      "core is of a kind that the repository does not have",
    ]);
  });
});

describe("counts", () => {
  const passed = { status: "passed", fullName: "a" };

  test("Vitest: a file that could not run, an error outside the tests, and no test at all are failures", () => {
    const file = (status: string, assertionResults: unknown[]) => ({
      testResults: [{ name: "a.test.ts", status, assertionResults }],
    });
    expect(vitestTally(file("passed", [passed]), 0)).toEqual({
      passed: 1,
      failed: [],
      skipped: [],
    });
    expect(vitestTally(file("failed", []), 1).failed).toEqual(["a.test.ts"]);
    expect(vitestTally(file("passed", [passed]), 1).failed).toHaveLength(1);
    expect(vitestTally(file("passed", []), 0).failed).toHaveLength(1);
    expect(vitestTally(null, 0).failed).toHaveLength(1);
    // There may be none among the changed files.
    expect(vitestTally(file("passed", []), 0, true).failed).toEqual([]);
    expect(vitestTally(file("passed", []), 1, true).failed).toHaveLength(1);
    expect(
      vitestTally(file("passed", [passed, { status: "skipped", fullName: "b" }]), 0).skipped,
    ).toEqual(["b"]);
  });

  test("Playwright: nested suites, skips with their reason, and errors outside the tests", () => {
    const report = {
      errors: [] as { message: string }[],
      suites: [
        {
          specs: [{ file: "a.spec.ts", title: "one", tests: [{ status: "expected" }] }],
          suites: [
            {
              specs: [
                { file: "a.spec.ts", title: "two", tests: [{ status: "unexpected" }] },
                {
                  file: "a.spec.ts",
                  title: "three",
                  tests: [
                    { status: "skipped", annotations: [{ type: "skip", description: "no Redis" }] },
                  ],
                },
              ],
            },
          ],
        },
      ],
    };
    expect(playwrightTally(report, 1)).toEqual({
      passed: 1,
      failed: ["a.spec.ts: two"],
      skipped: ["a.spec.ts: three (no Redis)"],
    });
    expect(
      playwrightTally({ ...report, errors: [{ message: "broken\nmore" }] }, 1).failed,
    ).toContain("end-to-end tests: broken");
    expect(playwrightTally(null, 0).failed).toHaveLength(1);
    expect(playwrightTally({ suites: [] }, 0).failed).toHaveLength(1);
    expect(playwrightTally({ suites: [] }, 0, true).failed).toEqual([]);
    expect(playwrightTally({ suites: [] }, 1, true).failed).toHaveLength(1);
  });
});

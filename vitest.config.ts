import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const name = (folders: string): string => `${folders}/**/*.test.{ts,tsx}`;

/**
 * Matches the notice that the client library writes once for each test file on Node.js 20, which we support
 * (docs/decisions/client-library-version.md).
 */
const NODE_NOTICE = /^\S+\s+Node\.js 20 and below are deprecated/;

/** The files that take longest, the longest first: a long one that begins last leaves the other cores idle. */
const LONG = [
  "server/process.test.ts",
  "testing/simulation.test.ts",
  "server/storage/history.test.ts",
  "testing/hostile/hostile.test.ts",
  "server/backup/refused-dump.test.ts",
  "web/sync/supabase/supabase.test.ts",
  "server/storage/history-load.test.ts",
  "web/sync/supabase/newcomer-limits.test.ts",
  "server/auth/context/budgets.test.ts",
  "web/sync/saving/rota.test.ts",
];

/** Files that replace a module by one of their own, and so have a process of their own. */
const MOCKING = ["server/auth/context/password-order.test.ts"];

/**
 * The options of files that share their processes: starting one, and reading the modules in each, takes longer than
 * most of these files.
 */
const SHARED = { isolate: false, unstubGlobals: true, restoreMocks: true };

const BUILT = ["testing/servers/build-server.ts", "testing/auth/databases-folder.ts"];

/** Puts the long files first, then those of one project after the other, so that they find a process of their project. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const at = LONG.findIndex((path) => moduleId.endsWith(`/${path}`));
      return at < 0 ? LONG.length + Number(project.name === "sources") : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    environment: "node",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // This is enough for a state that arrives, however busy the machine is.
    expect: { poll: { timeout: 10_000 } },
    pool: "forks",
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    setupFiles: ["testing/random/fast-check.ts", "testing/put-back.ts"],
    onConsoleLog: (text) => !NODE_NOTICE.test(text),
    projects: [
      {
        extends: true,
        test: {
          name: "sources",
          include: [name("{board,web,testing,scripts,lab}")],
          ...SHARED,
        },
      },
      {
        extends: true,
        test: {
          name: "server",
          include: [name("server")],
          exclude: MOCKING,
          globalSetup: [...BUILT, "testing/servers/shared-postgres.ts"],
          ...SHARED,
        },
      },
      {
        extends: true,
        test: {
          name: "mocking",
          include: MOCKING,
          globalSetup: BUILT,
        },
      },
    ],
  },
});

import { defineConfig } from "vitest/config";

const name = (folders: string): string => `${folders}/**/*.test.{ts,tsx}`;

/** What the client library writes once for each test file on Node.js 20, which we support (docs/decisions/client-library-version.md). */
const NODE_NOTICE = /^\S+\s+Node\.js 20 and below are deprecated/;

export default defineConfig({
  test: {
    environment: "node",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A state that comes, however busy the machine is.
    expect: { poll: { timeout: 10_000 } },
    pool: "forks",
    maxWorkers: 4,
    setupFiles: ["testing/random/fast-check.ts"],
    onConsoleLog: (text) => !NODE_NOTICE.test(text),
    projects: [
      {
        extends: true,
        test: { name: "sources", include: [name("{board,web,testing,scripts,lab}")] },
      },
      {
        extends: true,
        test: {
          name: "server",
          include: [name("server")],
          globalSetup: ["testing/servers/build-server.ts", "testing/servers/shared-postgres.ts"],
        },
      },
    ],
  },
});

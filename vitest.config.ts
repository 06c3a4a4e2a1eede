import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{board,web,server,testing,scripts}/**/*.test.{ts,tsx}"],
    environment: "node",
    globalSetup: ["testing/build-server.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
  },
});

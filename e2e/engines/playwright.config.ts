import { defineConfig } from "@playwright/test";

/** The engine suite: one worker and one browser for each engine, which all steps of a file share. */
export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  globalSetup: "../setup.ts",
  outputDir: "../../test-results/engines",
  forbidOnly: process.env["CI"] !== undefined,
  workers: 3,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: "list",
});

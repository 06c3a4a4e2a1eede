import { defineConfig } from "@playwright/test";
import { BROWSER } from "./e2e/browser.ts";

/** End-to-end tests: the compiled product, real browsers. Four at a time: most of a test is waiting, for a save or a peer. */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  // A group of its own, with a configuration of its own.
  testIgnore: "**/e2e/engines/**",
  globalSetup: "./e2e/setup.ts",
  outputDir: "test-results/e2e",
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  workers: 4,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    // A trace costs 8 % of the time: `npm test -- --only e2e FILE --trace retain-on-failure` leaves one.
    trace: "off",
    video: "off",
    screenshot: "off",
    launchOptions: BROWSER,
  },
});

import { defineConfig } from "@playwright/test";
import "./e2e/stacks.ts";
import { BROWSER } from "./e2e/browser.ts";

/**
 * End-to-end tests: the compiled product, real browsers. Five run at a time, since most of a test is waiting, for a
 * save or a peer.
 */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  globalSetup: "./e2e/setup.ts",
  outputDir: "test-results/e2e",
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  workers: 5,
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
  // The engine suite is first: its files run test after test, each in one browser, and wait most of the time.
  projects: [
    { name: "engines", testMatch: "e2e/engines/{firefox,webkit}.spec.ts", fullyParallel: false },
    // Motion is an eighth of the work: each frame of a spinner, a panel or a notice is painted. The tests of motion, and
    // the engine suite, have it.
    {
      name: "product",
      testIgnore: "e2e/engines/**",
      use: { contextOptions: { reducedMotion: "reduce" } },
    },
    // The product's tests prove in Chromium the effects of these steps; they run with `--only engines`, to compare.
    { name: "chromium", testMatch: "e2e/engines/chromium.spec.ts", fullyParallel: false },
  ],
});

import { expect, test } from "vitest";
import { findWaits } from "./waits.ts";

const IMPORT = 'import { setTimeout as pause } from "node:timers/promises";\n';

test.each([
  ["a timer", "await new Promise((resolve) => setTimeout(resolve, 50));"],
  ["a timer of a constant", "await new Promise((done) => setTimeout(done, 5 * BEAT));"],
  ["a timer with a value", "await new Promise((resolve) => setTimeout(() => resolve(sum), 100));"],
  ["a timer of a window", "await new Promise((resolve) => window.setTimeout(resolve, 100));"],
  [
    "a timer in a callback",
    "new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 9)));",
  ],
  ["a helper", "const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));"],
  ["Node.js's own", "await pause(100);"],
  ["Playwright's own", "await page.waitForTimeout(100);"],
  ["Playwright's own in a loop", "while (!done) await page.waitForTimeout(100);"],
  ["a loop that counts", "for (let n = 0; n < 5; n++) await pause(100);"],
  ["a loop without a way out", "for (const one of all) { send(one); await pause(100); }"],
  ["a comment that is no reason", "// Wait a bit.\nawait pause(100);"],
  ["a reason of one word", "// Clock: slow\nawait pause(100);"],
])("%s is a wait for a time", (_name, source) => {
  expect(findWaits("e2e/a.spec.ts", IMPORT + source)).toEqual({
    problems: [expect.stringMatching(/^e2e\/a\.spec\.ts:\d+: the test waits for a time/)],
    reasons: 0,
  });
});

test.each([
  ["a look again and again", "while (!(await isMet())) await pause(20);"],
  ["a loop that ends", "for (let n = 0; n < 300; n++) { if (isMet()) break; await pause(9); }"],
  ["the next task", "await new Promise((resolve) => setTimeout(resolve));"],
  ["the next task by its number", "await new Promise((resolve) => setTimeout(resolve, 0));"],
  ["a deadline", "new Promise((resolve, reject) => { setTimeout(() => reject(late), 9_000); });"],
  ["another function of the same name", "function f(pausing) { pausing(100); }"],
])("%s is none", (_name, source) => {
  expect(findWaits("e2e/a.spec.ts", IMPORT + source)).toEqual({ problems: [], reasons: 0 });
});

test("a reason in the line above is counted", () => {
  const source = `${IMPORT}// Clock: the kill comes at any moment.\nawait pause(100);`;
  expect(findWaits("e2e/a.spec.ts", source)).toEqual({ problems: [], reasons: 1 });
});

import { expect, test } from "@playwright/test";

/**
 * Runs the steps of a test, one after the other, and goes on after one that fails, so that none hides another one's
 * failure. It fails with all failures.
 */
export async function inSteps(steps: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  const failures: string[] = [];
  expect(Object.keys(steps).length).toBeGreaterThan(1);
  for (const [what, step] of Object.entries(steps))
    await test
      .step(what, step)
      .catch((error: unknown) => failures.push(`${what}: ${(error as Error).stack}`));
  expect(failures.join("\n\n")).toBe("");
}

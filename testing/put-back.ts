/**
 * Puts back the globals and functions that the last test of a file replaced: Vitest does so only before a next test of
 * the same file, and files share a process.
 */

import { afterAll, vi } from "vitest";

afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

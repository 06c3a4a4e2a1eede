import { afterAll, expect, test } from "vitest";
import { createPasswords } from "./passwords.ts";

const ADDRESS = "192.0.2.1";
const usual = createPasswords();
const quick = createPasswords(4);

afterAll(() => Promise.all([usual.close(), quick.close()]));

test("a password's hash has GoTrue's cost unless another is given, and fits that password alone", async () => {
  const stored = await usual.hash(ADDRESS, "correct horse");
  expect(stored).toMatch(/^\$2b\$10\$/);
  expect(await quick.hash(ADDRESS, "correct horse")).toMatch(/^\$2b\$04\$/);
  for (const passwords of [usual, quick]) {
    expect(await passwords.matches(ADDRESS, "correct horse", stored)).toBe(true);
    expect(await passwords.matches(ADDRESS, "wrong horse", stored)).toBe(false);
    expect(await passwords.matches(ADDRESS, "correct horse", null)).toBe(false);
  }
});

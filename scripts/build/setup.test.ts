import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fingerprint } from "./fingerprint.mjs";
import { SetupFailure, withLock } from "./lock.mjs";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "inkpool-setup-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("two that want the lock take turns", async () => {
  const lock = join(folder, "sub", "lock");
  const events: string[] = [];
  let otherWaits = () => {};
  const waited = new Promise<void>((resolve) => (otherWaits = resolve));
  const work = (name: string) =>
    withLock(
      lock,
      async () => {
        events.push(`${name} in`);
        await waited;
        events.push(`${name} out`);
      },
      () => {
        events.push("waits");
        otherWaits();
      },
    );
  await Promise.all([work("a"), work("b")]);
  const visits = events.filter((event) => event !== "waits");
  expect(visits.map((event) => event.slice(2))).toEqual(["in", "out", "in", "out"]);
  expect(visits[0]?.[0]).toBe(visits[1]?.[0]);
  expect(events.filter((event) => event === "waits")).toHaveLength(1);
  expect(existsSync(lock)).toBe(false);
});

test("the lock is given back when the work fails", async () => {
  const lock = join(folder, "lock");
  await expect(withLock(lock, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await withLock(lock, () => Promise.resolve("mine"))).toBe("mine");
});

test("a folder that cannot be written is named, with what to do", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const taken = withLock(join(file, "dist", "lock"), () => Promise.resolve("mine"));
  await expect(taken).rejects.toThrow(
    new SetupFailure(
      `something has to be installed or built, and ${join(file, "dist")} cannot be written (ENOTDIR); run npm run build as its owner`,
    ),
  );
});

test("the lock of a process that died is taken over", async () => {
  const lock = join(folder, "lock");
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  writeFileSync(lock, String(dead));
  expect(await withLock(lock, () => Promise.resolve("mine"))).toBe("mine");
});

test("a lock that nobody touched for long is taken over, regardless of its owner", async () => {
  const lock = join(folder, "lock");
  writeFileSync(lock, String(process.pid));
  const longAgo = new Date(Date.now() - 120_000);
  utimesSync(lock, longAgo, longAgo);
  expect(await withLock(lock, () => Promise.resolve("mine"))).toBe("mine");
});

test("a fingerprint follows names and contents, not times and not tests", () => {
  mkdirSync(join(folder, "src/deep"), { recursive: true });
  writeFileSync(join(folder, "src/deep/a.ts"), "1");
  const before = fingerprint(folder, ["src", "missing"]);
  utimesSync(join(folder, "src/deep/a.ts"), new Date(0), new Date(0));
  writeFileSync(join(folder, "src/a.test.ts"), "test");
  expect(fingerprint(folder, ["src", "missing"])).toBe(before);
  writeFileSync(join(folder, "src/deep/a.ts"), "2");
  const changed = fingerprint(folder, ["src", "missing"]);
  expect(changed).not.toBe(before);
  writeFileSync(join(folder, "src/b.ts"), "");
  expect(fingerprint(folder, ["src", "missing"])).not.toBe(changed);
});

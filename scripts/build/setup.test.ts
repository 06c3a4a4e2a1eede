import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ROOT } from "../root.mjs";
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

test.each([
  ["SIGINT", 130],
  ["SIGHUP", 129],
] as const)(
  "a %s during a set-up ends the installation, which a next one would run beside otherwise",
  async (name, code) => {
    for (const path of ["package.json", "scripts/root.mjs", "scripts/process.mjs", "scripts/build"])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    const [npm, started] = [join(folder, "npm.mjs"), join(folder, "started")];
    const note = `writeFileSync(${JSON.stringify(started)}, String(process.pid))`;
    writeFileSync(
      npm,
      `import { writeFileSync } from "node:fs"; ${note}; setInterval(() => {}, 60_000);`,
    );
    const script =
      'const { setUp } = await import("./scripts/build/setup.mjs"); await setUp(() => {});';
    rmSync(started, { force: true });
    const setUp = spawn(process.execPath, ["--input-type=module", "-e", script], {
      cwd: folder,
      env: { ...process.env, npm_execpath: npm },
      stdio: "ignore",
    });
    const ended = once(setUp, "exit");
    // Clock: the processes are real.
    await vi.waitFor(() => expect(readFileSync(started, "utf8")).not.toBe(""), 20_000);
    const send = (signal: "SIGKILL" | 0) => process.kill(Number(readFileSync(started)), signal);
    setUp.kill(name);
    try {
      expect(await ended).toEqual([code, null]);
      await vi.waitFor(() => expect(() => send(0)).toThrow("ESRCH"), 10_000);
    } catch (error) {
      send("SIGKILL");
      throw error;
    }
  },
);

test("an installation leaves the packages of another checkout, to which node_modules was a link", async () => {
  for (const path of ["package.json", "scripts/root.mjs", "scripts/process.mjs", "scripts/build"])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  mkdirSync(join(folder, "other/package"), { recursive: true });
  symlinkSync(join(folder, "other"), join(folder, "node_modules"));
  const npm = join(folder, "npm.mjs");
  // npm empties the folder before it installs.
  writeFileSync(
    npm,
    `import { mkdirSync, readdirSync, rmSync } from "node:fs";
    mkdirSync("node_modules", { recursive: true });
    for (const name of readdirSync("node_modules")) rmSync("node_modules/" + name, { recursive: true });`,
  );
  const script =
    'const { setUpPackages } = await import("./scripts/build/setup.mjs"); await setUpPackages(() => {});';
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    env: { ...process.env, npm_execpath: npm },
  });
  expect(status).toBe(0);
  expect(readdirSync(join(folder, "other"))).toEqual(["package"]);
  expect(readdirSync(join(folder, "node_modules"))).toEqual([".inkpool-installed"]);
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

import { expect, test } from "vitest";
import type { Drawing } from "../../../board/drawing.ts";
import { createVersionLoader } from "./version-loader.ts";

const settle = () => new Promise((resolve) => setTimeout(resolve));
const { signal } = new AbortController();

/** A loader whose loads end when the test decides. */
function createBench() {
  const begun: string[] = [];
  const ends: ((drawing: Drawing | null) => void)[] = [];
  const loader = createVersionLoader((id) => {
    begun.push(id);
    return new Promise((resolve) => ends.push(resolve));
  });
  const end = async (): Promise<void> => {
    ends.shift()?.(null);
    await settle();
  };
  return { begun, loader, end };
}

test("one version at a time, and an urgent one before those that wait", async () => {
  const { begun, loader, end } = createBench();
  const results: string[] = [];
  const run = (id: string, urgent = false) =>
    void loader.run(id, () => void results.push(id), { urgent, signal });
  run("a");
  run("b");
  run("c");
  run("now", true);
  expect(begun).toEqual(["a"]);
  for (let count = 0; count < 4; count += 1) await end();
  expect(begun).toEqual(["a", "now", "b", "c"]);
  expect(results).toEqual(begun);
});

test("the next load waits until the drawing before was used", async () => {
  const { begun, loader, end } = createBench();
  let use = (): void => undefined;
  void loader.run("a", () => new Promise<void>((resolve) => (use = resolve)), { signal });
  void loader.run("b", () => undefined, { signal });
  await end();
  expect(begun).toEqual(["a"]);
  use();
  await settle();
  expect(begun).toEqual(["a", "b"]);
});

test("a load that is not wanted any more is dropped", async () => {
  const { begun, loader, end } = createBench();
  const wanted = new AbortController();
  const first = loader.run("a", () => "used", { signal: wanted.signal });
  const second = loader.run("b", () => "used", { signal: wanted.signal });
  wanted.abort();
  await end();
  expect([await first, await second, begun]).toEqual([undefined, undefined, ["a"]]);
});

test("a load that fails does not keep the next one from being tried", async () => {
  const loader = createVersionLoader(async (id) => {
    if (id === "bad") throw new Error("away");
    return null;
  });
  await expect(loader.run("bad", () => "used", { signal })).rejects.toThrow("away");
  expect(await loader.run("good", () => "used", { signal })).toBe("used");
});

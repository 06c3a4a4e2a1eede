import { expect, test, vi } from "vitest";
import { type Decoded, fileOf } from "./decode.ts";
import { DecodedPictures } from "./decoded-pictures.ts";

interface Job {
  readonly source: string;
  readonly level: number;
  readonly finish: (side: number) => void;
  readonly fail: () => void;
}

function bed(maxPixels = 1_000) {
  const jobs: Job[] = [];
  const timers: (() => void)[] = [];
  const closed: string[] = [];
  const clock = { now: 0 };
  const pictures = new DecodedPictures({
    maxPixels,
    now: () => clock.now,
    startTimer: (work) => void timers.push(work),
    decode: (source, level) =>
      new Promise<Decoded>((resolve, reject) => {
        const finish = (side: number): void => {
          const close = (): void => void closed.push(source);
          const bitmap = { width: side, height: side, close } as unknown as Decoded["bitmap"];
          resolve({ bitmap, scale: 1 / 2 ** level });
        };
        jobs.push({ source, level, finish, fail: () => reject(new Error("broken")) });
      }),
  });
  return { pictures, jobs, timers, closed, clock };
}

const settled = (): Promise<void> => vi.waitFor(() => undefined);

async function show({ pictures, jobs }: ReturnType<typeof bed>, source: string, side: number) {
  const changed = vi.fn();
  let shown = true;
  pictures.use(source, { isShown: () => shown, changed });
  pictures.get(source, 0);
  await vi.waitFor(() => expect(jobs.at(-1)?.source).toBe(source));
  jobs.at(-1)!.finish(side);
  await vi.waitFor(() => expect(pictures.get(source, 0)?.bitmap.width).toBe(side));
  return { changed, remove: () => void (shown = false) };
}

test("IMG-6 pictures are decoded one at a time, the one that was painted last first", async () => {
  const { pictures, jobs, clock } = bed();
  const changed = vi.fn();
  for (const source of ["a", "b", "c"]) {
    pictures.use(source, { isShown: () => true, changed });
    clock.now += 1;
    expect(pictures.get(source, 0)).toBeUndefined();
  }
  expect(jobs.map(({ source }) => source)).toEqual(["a"]);
  jobs[0]!.finish(5);
  await vi.waitFor(() => expect(jobs.map(({ source }) => source)).toEqual(["a", "c"]));
  expect(changed).toHaveBeenCalledTimes(1);
  jobs[1]!.fail();
  await vi.waitFor(() => expect(jobs).toHaveLength(3));
  expect(pictures.faultOf("c")).toBe("broken");
  expect(pictures.get("c", 0)).toBeUndefined();
  expect(pictures.get("a", 0)?.bitmap.width).toBe(5);
});

test("IMG-6 a picture that is shown larger is decoded finer, and stays so when it is shown smaller", async () => {
  const { pictures, jobs, closed } = bed();
  pictures.use("a", { isShown: () => true, changed: () => {} });
  pictures.get("a", 2);
  jobs[0]!.finish(4);
  await vi.waitFor(() => expect(pictures.get("a", 3)?.scale).toBe(0.25));
  expect(jobs).toHaveLength(1);
  expect(pictures.get("a", 0)?.scale).toBe(0.25);
  jobs[1]!.finish(16);
  await vi.waitFor(() => expect(pictures.get("a", 2)?.scale).toBe(1));
  expect(closed).toEqual(["a"]);
  expect(jobs).toHaveLength(2);
});

test("IMG-6 memory is bounded: the picture painted longest ago goes, and soon a removed one", async () => {
  const all = bed(200);
  const { pictures, closed, clock, jobs, timers } = all;
  await show(all, "a", 10);
  clock.now = 10_000;
  const { remove } = await show(all, "b", 10);
  expect(closed).toEqual([]);
  await show(all, "c", 10);
  expect(closed).toEqual(["a"]);
  remove();
  expect(timers).toHaveLength(1);
  timers[0]!();
  expect(timers).toHaveLength(2);
  expect(closed).toEqual(["a", "b"]);
  expect(pictures.get("b", 0)).toBeUndefined();
  expect(jobs).toHaveLength(3);
});

test("IMG-6 more than there is memory for, painted at once, does not go round in a circle", async () => {
  const all = bed(100);
  const { pictures, closed, clock, jobs, timers } = all;
  await show(all, "a", 10);
  const changed = vi.fn();
  pictures.use("b", { isShown: () => true, changed });
  pictures.get("b", 0);
  jobs.at(-1)!.finish(10);
  // The first timer looks for pictures that have left the canvas.
  await vi.waitFor(() => expect(timers).toHaveLength(2));
  expect(changed).not.toHaveBeenCalled();
  expect(closed).toEqual(["b"]);
  // A repaint requests it again, which has no effect yet.
  pictures.get("b", 0);
  await settled();
  expect(jobs).toHaveLength(2);
  clock.now = 10_000;
  timers[1]!();
  expect(jobs).toHaveLength(3);
  jobs[2]!.finish(10);
  await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  expect(closed).toEqual(["b", "a"]);
});

test("IMG-2 a picture that is too large or not of its named type is not decoded", () => {
  const png = (width: number, height: number, type = "image/png"): string => {
    const bytes = new Uint8Array(33);
    bytes.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
    new DataView(bytes.buffer).setUint32(16, width);
    new DataView(bytes.buffer).setUint32(20, height);
    return `data:${type};base64,${btoa(String.fromCharCode(...bytes))}`;
  };
  expect(fileOf(png(3, 2)).header).toEqual({ type: "image/png", width: 3, height: 2 });
  expect(() => fileOf(png(3, 2, "image/jpeg"))).toThrow("its type");
  expect(() => fileOf(png(4097, 2))).toThrow("pixels");
  expect(() => fileOf(png(4000, 4000))).toThrow("pixels");
  expect(() => fileOf(`data:image/png;base64,${btoa("<svg onload='x'/>")}`)).toThrow("its type");
  expect(() => fileOf("data:image/png;base64,%%%")).toThrow();
});

test("IMG-6 waiting pictures that are painted again are decoded before the others", async () => {
  const { pictures, jobs, clock } = bed();
  const order = ["a", "b", "c", "d"];
  for (const source of order) pictures.use(source, { isShown: () => true, changed: () => {} });
  for (const source of [...order, "c", "b"]) {
    clock.now += 1;
    pictures.get(source, 0);
  }
  for (let at = 0; at < order.length; at++) {
    await vi.waitFor(() => expect(jobs).toHaveLength(at + 1));
    jobs[at]!.finish(1);
  }
  expect(jobs.map(({ source }) => source)).toEqual(["a", "b", "c", "d"]);
});

test("IMG-6 a waiting picture that leaves the canvas is not decoded, and no other is lost", async () => {
  const { pictures, jobs, timers } = bed();
  const shown = new Set(["a", "b", "c", "d"]);
  for (const source of ["a", "b", "c", "d"]) {
    pictures.use(source, { isShown: () => shown.has(source), changed: () => {} });
    pictures.get(source, 0);
  }
  for (const source of ["a", "c", "d"]) shown.delete(source);
  timers[0]!();
  jobs[0]!.finish(1);
  await vi.waitFor(() => expect(jobs.map(({ source }) => source)).toEqual(["a", "b"]));
  jobs[1]!.finish(1);
  await vi.waitFor(() => expect(pictures.get("b", 0)).toBeDefined());
  expect(jobs).toHaveLength(2);
});

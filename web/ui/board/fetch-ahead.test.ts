import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchFetchAhead } from "./fetch-ahead.ts";

let page: EventTarget;

beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("LD-1 code is fetched ahead from the visitor's first sign of any kind", () => {
  for (const sign of ["pointerdown", "keydown", "wheel", "dragenter"]) {
    const ahead = watchFetchAhead();
    let count = 0;
    ahead.subscribe(() => (count += 1));
    page.dispatchEvent(new Event("load"));
    expect(ahead.get()).toBe(false);
    page.dispatchEvent(new Event(sign));
    page.dispatchEvent(new Event(sign));
    vi.advanceTimersByTime(60_000);
    expect([ahead.get(), count]).toEqual([true, 1]);
  }
});

/** A move of a pointer that is now at `clientX`. */
function movedTo(clientX: number): Event {
  return Object.assign(new Event("pointermove"), { clientX, clientY: 0 });
}

test("LD-1 a pointer that moves is a sign, one that rests while the browser says that it moved is none", () => {
  const ahead = watchFetchAhead();
  for (const x of [0, 0, 0]) page.dispatchEvent(movedTo(x));
  expect(ahead.get()).toBe(false);
  page.dispatchEvent(movedTo(1));
  expect(ahead.get()).toBe(true);
});

test("LD-1 without a sign code is fetched ahead after 12 s", () => {
  const ahead = watchFetchAhead();
  vi.advanceTimersByTime(11_999);
  expect(ahead.get()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(ahead.get()).toBe(true);
});

import { afterEach, expect, test, vi } from "vitest";

afterEach(() => void vi.unstubAllGlobals());

test("UI-28 a worker that fails while it reads a drawing says so: the page would wait for it", async () => {
  const answer = await new Promise((postMessage) => {
    const scope = new EventTarget();
    vi.stubGlobal("addEventListener", scope.addEventListener.bind(scope));
    vi.stubGlobal("postMessage", postMessage);
    // A blob has `arrayBuffer`.
    const request = Object.assign(new Event("message"), { data: {} });
    void import("./read-worker.ts").then(() => scope.dispatchEvent(request));
  });
  expect(answer).toEqual({ end: { ok: false, reason: "it could not be read" } });
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { transport } from "../../../testing/sync/real-client.ts";
import { openSupabaseBackend } from "./supabase.ts";
import { createCall, type Outcome, type TableRequest } from "./table.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request as the client library makes it: it is sent when it is awaited. */
function request(send: (signal: AbortSignal) => PromiseLike<Outcome>): TableRequest {
  let signal = new AbortController().signal;
  const made: TableRequest = {
    abortSignal(given) {
      signal = given;
      return made;
    },
    retry: () => made,
    // oxlint-disable-next-line unicorn/no-thenable -- the client library's requests are thenables
    then: (...given) => send(signal).then(...given),
  };
  return made;
}

/** A response of the table API with an error. */
const refused = (status: number, code: string, message: string) =>
  request(() => Promise.resolve({ data: null, status, error: { code, message } }));

/** A request that ends only when it is aborted, as fetch does. */
const endless = () =>
  request(
    (signal) =>
      new Promise<never>((_, reject) => {
        const end = (): void => reject(new Error("aborted"));
        if (signal.aborted) end();
        else signal.addEventListener("abort", end);
      }),
  );

describe("a call to the table API", () => {
  test("SAV-14 ends, and leaves no timer and no listener behind", async () => {
    const closing = new AbortController();
    const remove = vi.spyOn(closing.signal, "removeEventListener");
    const call = createCall(closing.signal);
    const done = await call(
      request(() => Promise.resolve({ data: [7], status: 200, error: null })),
      (data) => data,
    );
    expect(done).toEqual({ ok: true, value: [7] });
    expect([vi.getTimerCount(), remove.mock.calls.length]).toEqual([0, 1]);
  });

  test.each([
    [0, "", "TypeError: fetch failed", "network"],
    [502, "", "Bad Gateway", "network"],
    [504, "", "Gateway Timeout", "network"],
    [200, "", "<title>Sign in to this network</title>", "network"],
    [511, "", "Network Authentication Required", "network"],
    [522, "", "Connection timed out", "network"],
    [400, "23514", 'violates check constraint "canvas_json_size_check"', "size"],
    [409, "23505", "duplicate key value", "duplicate"],
    [401, "42501", "row-level security", "refused"],
    [404, "PGRST205", "Could not find the table", "missing"],
    [500, "XX000", "broken", "refused"],
  ] as const)("SAV-14 status %i, code %s: %s is a fault of the kind %s", async (...given) => {
    const [status, code, message, kind] = given;
    const call = createCall(new AbortController().signal);
    const result = await call(refused(status, code, message), String);
    expect(result).toEqual({ ok: false, fault: { kind, message } });
  });

  test("SAV-14 is given up after 20 s, and after 1 s more for each 50 KB that it sends", async () => {
    const call = createCall(new AbortController().signal);
    const settled: string[] = [];
    const small = call(endless(), String).then(() => settled.push("small"));
    const large = call(endless(), String, 100_000).then(() => settled.push("large"));
    await vi.advanceTimersByTimeAsync(19_999);
    expect(settled).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toEqual(["small"]);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(settled).toEqual(["small"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toEqual(["small", "large"]);
    await Promise.all([small, large]);
  });

  test.each([
    ["nothing", new Response(null, { status: 204 }), { ok: false, fault: { kind: "network" } }],
    ["an empty text", new Response(""), { ok: false, fault: { kind: "network" } }],
    ["no row", new Response("[]"), { ok: true, value: null }],
  ] as const)("SAV-60 an insert that is answered with %s has written nothing", async (...given) => {
    const [, response, outcome] = given;
    const config = { supabaseUrl: "http://127.0.0.1:1", supabaseAnonKey: "key" };
    const answer = () => Promise.resolve(response);
    const backend = openSupabaseBackend(config, { fetch: answer, transport });
    expect(await backend.insert({ pieces: ["{}"], bytes: 2 })).toMatchObject(outcome);
  });

  test("SAV-14 ends with the page", async () => {
    const closing = new AbortController();
    const result = createCall(closing.signal)(endless(), String);
    closing.abort();
    expect(await result).toMatchObject({ ok: false, fault: { kind: "network" } });
    expect(vi.getTimerCount()).toBe(0);
  });
});

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
    const any = vi.spyOn(AbortSignal, "any");
    const call = createCall(new AbortController().signal);
    const done = await call(
      request(() => Promise.resolve({ data: [7], status: 200, error: null })),
      (data) => data,
    );
    expect(done).toEqual({ ok: true, value: [7] });
    const { onabort } = any.mock.results[0]!.value as AbortSignal;
    expect([vi.getTimerCount(), onabort]).toEqual([0, null]);
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

  test("SAV-73 is given up 20 s after the last part of its response", async () => {
    const parts: ReadableStreamDefaultController<Uint8Array>[] = [];
    const answer = (_input: unknown, init?: RequestInit): Promise<Response> => {
      const start = (part: ReadableStreamDefaultController<Uint8Array>): void => {
        parts.push(part);
        init?.signal?.addEventListener("abort", () => part.error(new Error("aborted")));
      };
      return Promise.resolve(new Response(new ReadableStream({ start })));
    };
    const config = { supabaseUrl: "http://127.0.0.1:1", supabaseAnonKey: "key" };
    const backend = openSupabaseBackend(config, { fetch: answer, transport });
    const row = JSON.stringify([{ id: "row", updated_at: "2026-01-01", canvas_json: "é" }]);
    const bytes = new TextEncoder().encode(row);
    const [slow, stalled] = [backend.load(), backend.load()];
    for (const byte of bytes) {
      await vi.advanceTimersByTimeAsync(9_000);
      parts[0]?.enqueue(Uint8Array.of(byte));
      if (byte === bytes[0]) parts[1]?.enqueue(Uint8Array.of(byte));
    }
    parts[0]?.close();
    expect(await slow).toMatchObject({ ok: true, value: { id: "row", json: "é" } });
    expect(await stalled).toMatchObject({ ok: false, fault: { kind: "network" } });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("SAV-73 has twice as long for each byte that it sends after one that was given up, up to 50 kbit/s", async () => {
    const call = createCall(new AbortController().signal);
    const limits: number[] = [];
    for (let calls = 0; calls < 5; calls += 1) {
      const began = Date.now();
      const sent = call(endless(), String, 1_000_000);
      await vi.advanceTimersToNextTimerAsync();
      await sent;
      limits.push((Date.now() - began) / 1000);
      // A call that sends nothing says nothing about the speed.
      const read = call(endless(), String);
      await vi.advanceTimersToNextTimerAsync();
      await read;
    }
    expect(limits).toEqual([40, 60, 100, 180, 180]);
  });

  test("SAV-73 is given up after 20 s, and after 1 s more for each 50 KB that it sends", async () => {
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

  test("HIS-2 a list of versions that is answered with nothing has failed", async () => {
    const config = { supabaseUrl: "http://127.0.0.1:1", supabaseAnonKey: "key" };
    for (const response of [new Response(null, { status: 204 }), new Response("")]) {
      const answer = () => Promise.resolve(response);
      const { history } = openSupabaseBackend(config, { fetch: answer, transport });
      expect(await history.list()).toMatchObject({ ok: false, fault: { kind: "network" } });
    }
  });

  test("SAV-73 is given up while it waits for a token, and has not been sent", async () => {
    const waiting = request(() => new Promise<never>(() => undefined));
    const result = createCall(new AbortController().signal)(waiting, String);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await result).toMatchObject({ ok: false, fault: { kind: "network" } });
  });

  test("SAV-10 a guarded save names the count of the row that it replaces, else its time, an unguarded one the row alone", async () => {
    const sent: URL[] = [];
    const answer: typeof fetch = async (input) => {
      sent.push(new URL(new Request(input).url));
      return Response.json([]);
    };
    const config = { supabaseUrl: "http://127.0.0.1:1", supabaseAnonKey: "key" };
    const backend = openSupabaseBackend(config, { fetch: answer, transport });
    const row = { id: "row", updatedAt: "2026-01-01T00:00:00+00:00", version: 7 };
    const text = { pieces: ["{}"], bytes: 2 };
    await backend.update(row, text, row.updatedAt);
    await backend.update({ ...row, version: null }, text, row.updatedAt);
    await backend.update(row, text, row.updatedAt, true);
    const at = `eq.${row.updatedAt}`;
    const guards = sent.map(({ searchParams: by }) => [by.get("updated_at"), by.get("version")]);
    expect(guards).toEqual([
      [null, "eq.7"],
      [at, null],
      [null, null],
    ]);
    expect(sent.every(({ searchParams: by }) => by.get("id") === "eq.row")).toBe(true);
  });

  test("SAV-14 ends with the page", async () => {
    const closing = new AbortController();
    const result = createCall(closing.signal)(endless(), String);
    closing.abort();
    expect(await result).toMatchObject({ ok: false, fault: { kind: "network" } });
    expect(vi.getTimerCount()).toBe(0);
  });
});

import { afterEach, describe, expect, test, vi } from "vitest";
import { fetchConfig, localConfig, parseConfig } from "./config.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const GOOD = {
  productName: "Inkpool",
  supabaseUrl: "http://127.0.0.1:8080",
  supabaseAnonKey: "key",
  presenceSummary: false,
};

describe("the configuration", () => {
  test("known fields are read, others are left out", () => {
    expect(parseConfig({ ...GOOD, liveBudget: 500, more: true })).toEqual({
      ...GOOD,
      liveBudget: 500,
    });
    expect(parseConfig(GOOD)).toEqual(GOOD);
    expect(parseConfig({ ...GOOD, presenceSummary: true }).presenceSummary).toBe(true);
    expect(parseConfig({ ...GOOD, presenceSummary: "true" })).toEqual(GOOD);
  });

  test.each([[-1], [0], ["100"], [Number.NaN], [Number.POSITIVE_INFINITY], [null]])(
    "a budget of %s counts as none",
    (liveBudget) => {
      expect(parseConfig({ ...GOOD, liveBudget })).toEqual(GOOD);
    },
  );

  test.each([
    [null, /not an object/],
    ["text", /not an object/],
    [{ ...GOOD, productName: "" }, /productName/],
    [{ ...GOOD, supabaseUrl: "javascript:alert(1)" }, /supabaseUrl/],
    [{ ...GOOD, supabaseUrl: "http://" }, /supabaseUrl/],
    [{ ...GOOD, supabaseAnonKey: 7 }, /supabaseAnonKey/],
  ])("%j is refused", (input, reason) => {
    expect(() => parseConfig(input)).toThrow(reason);
  });

  test("the configuration without a server is one like any other", () => {
    expect(parseConfig(localConfig("http://127.0.0.1:1", "Inkpool")).productName).toBe("Inkpool");
  });
});

test("UI-49 a server that takes the request and does not respond is given up after 10 s", async () => {
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  vi.stubGlobal("fetch", (_address: string, { signal }: RequestInit) => {
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("given up")));
    });
  });
  const config = fetchConfig("/");
  limit.abort();
  await expect(config).rejects.toThrow("given up");
  expect(timeout).toHaveBeenCalledWith(10_000);
});

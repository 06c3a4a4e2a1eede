import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { transport } from "../../../testing/sync/real-client.ts";
import { openSession, type Session } from "./session.ts";
import { openSupabaseBackend } from "./supabase.ts";

const NAME = "sb-127-auth-token";

/** A session whose access token has expired. */
const EXPIRED = {
  access_token: "old",
  refresh_token: "refresh",
  expires_in: 3600,
  expires_at: 1000,
  token_type: "bearer",
  user: { id: "ann" },
};

let stored: Map<string, string>;
let session: Session | undefined;
let key = "key";

beforeEach(() => {
  stored = new Map([[NAME, JSON.stringify(EXPIRED)]]);
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  });
  // The library keeps a session only in a browser.
  const listening = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal("window", { ...listening, location: { href: "http://127.0.0.1:1/" } });
  vi.stubGlobal("document", { visibilityState: "hidden" });
  vi.useFakeTimers();
});

afterEach(() => {
  session?.dispose();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open(send: (init: RequestInit) => Promise<Response>): Session {
  vi.stubGlobal("fetch", (_input: unknown, init: RequestInit) => send(init));
  const headers = () => ({ apikey: key });
  session = openSession({
    ...{ url: "http://127.0.0.1:1/auth/v1", headers, storageKey: NAME },
    onToken: () => undefined,
  });
  return session;
}

test("SRV-85 a renewal that gets no answer is given up and tried again", async () => {
  const limits: AbortController[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    limits.push(new AbortController());
    return limits.at(-1)!.signal;
  });
  const renewed = { ...EXPIRED, access_token: "new", expires_at: Date.now() / 1000 + 3600 };
  const { token } = open(({ signal }) =>
    limits.length > 1
      ? Promise.resolve(Response.json(renewed))
      : new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("aborted")));
        }),
  );
  const found = token();
  await vi.advanceTimersByTimeAsync(10);
  expect(limits).toHaveLength(1);
  limits[0]?.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await found).toBe("new");
});

test("SRV-85 while a session cannot be renewed it has no token, and stays", async () => {
  const { token } = open(() => Promise.reject(new TypeError("Failed to fetch")));
  const found = token().catch((reason: unknown) => (reason as Error).name);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await found).toBe("AuthRetryableFetchError");
  expect(stored.has(NAME)).toBe(true);
});

test("SRV-85 a session that the server does not know any more is none", async () => {
  const refused = { code: "refresh_token_not_found", message: "Invalid Refresh Token" };
  const { token } = open(() => Promise.resolve(Response.json(refused, { status: 400 })));
  expect(await token()).toBeUndefined();
});

test("SAV-74 a renewal has the public key of the present configuration", async () => {
  const sent: (string | null)[] = [];
  const { token } = open(({ headers }) => {
    sent.push(new Headers(headers).get("apikey"));
    return Promise.resolve(Response.json({ code: "refresh_token_not_found" }, { status: 400 }));
  });
  key = "other";
  await token();
  expect(sent).toEqual(["other"]);
});

test("SRV-85 a session whose token the table refuses, as after a change of the secret, is renewed", async () => {
  vi.useRealTimers();
  vi.stubGlobal("location", { href: "http://127.0.0.1:1/" });
  const valid = { ...EXPIRED, access_token: "void", expires_at: Date.now() / 1000 + 3600 };
  stored.set(NAME, JSON.stringify(valid));
  const renewed = { ...valid, access_token: "new" };
  const backend = openSupabaseBackend(
    { supabaseUrl: "http://127.0.0.1:1", supabaseAnonKey: "key" },
    {
      fetch: async (_input, init) =>
        new Headers(init?.headers).get("authorization") === "Bearer new"
          ? Response.json([])
          : Response.json({ code: "PGRST301", message: "" }, { status: 401 }),
      openSession: async (options) => {
        vi.stubGlobal("fetch", async () => Response.json(renewed));
        return (session = openSession(options));
      },
      transport,
    },
  );
  expect((await backend.peek()).ok).toBe(false);
  await expect.poll(backend.peek).toEqual({ ok: true, value: null });
  await backend.close();
});

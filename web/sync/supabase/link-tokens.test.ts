import { afterEach, expect, test, vi } from "vitest";
import { PostgrestClient } from "@supabase/postgrest-js";
import { createLinkTokens } from "./link-tokens.ts";

afterEach(() => vi.useRealTimers());

interface Answer {
  readonly status: number;
  readonly body?: object;
}

function open(answers: (Answer | Promise<Answer>)[], kind: "host" | "draw" = "host") {
  const keep = vi.fn<() => void>();
  const calls: { readonly url: string; readonly body: unknown; readonly auth: string | null }[] =
    [];
  const onVoid = vi.fn<() => void>();
  const tokens = createLinkTokens({
    link: { kind, secret: "s1", keep },
    address: (path) => `http://b/host/v1/${path}`,
    fetch: async (url, init) => {
      const auth = new Headers(init?.headers).get("authorization");
      calls.push({ url: url as string, body: JSON.parse(init?.body as string), auth });
      const answer = await answers.shift();
      if (!answer) throw new TypeError("no network");
      return new Response(JSON.stringify(answer.body ?? {}), { status: answer.status });
    },
    table: new PostgrestClient("http://b", {
      fetch: () => {
        throw new Error("not asked");
      },
    }),
    onVoid,
  });
  return { tokens, calls, onVoid, keep };
}

const granted = (token: string, more: object = {}): Answer => ({
  status: 200,
  body: { access_token: token, expires_in: 900, role: "host", draw: "d1", ...more },
});

test("HOST-17 a token is exchanged once, replaced before it ends, and again when the backend refused it", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  const { tokens, calls, onVoid } = open([granted("t1"), granted("t2"), granted("t3")]);
  expect(await Promise.all([tokens.token(), tokens.token()])).toEqual(["t1", "t1"]);
  expect(calls).toEqual([{ url: "http://b/host/v1/token", body: { secret: "s1" }, auth: null }]);
  vi.advanceTimersByTime(700_000);
  expect(await tokens.token()).toBe("t1");
  vi.advanceTimersByTime(30_000);
  expect(await tokens.token()).toBe("t2");
  tokens.forget();
  expect(await tokens.token()).toBe("t3");
  expect(await tokens.drawingSecret()).toBe("d1");
  expect(onVoid).not.toHaveBeenCalled();
});

test("HOST-17 a token that ended while the machine slept is replaced, and one whose clock was set back is not kept for longer", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  const { tokens } = open([granted("t1"), granted("t2"), granted("t3")]);
  expect(await tokens.token()).toBe("t1");
  vi.setSystemTime(Date.now() + 900_000);
  expect(await tokens.token()).toBe("t2");
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(1_800_000);
  expect(await tokens.token()).toBe("t3");
});

test("HOST-17 a link is stored when the backend knows its secret, as a host's only when it is a host's", async () => {
  const editor = { status: 200, body: { access_token: "t1", expires_in: 900, role: "editor" } };
  for (const [kind, answer, times] of [
    ["host", granted("t1"), 1],
    ["host", editor, 0],
    ["draw", editor, 1],
    ["host", { status: 401 }, 0],
    ["draw", { status: 503 }, 0],
  ] as const) {
    const { tokens, keep } = open([answer], kind);
    await tokens.token();
    expect(keep).toHaveBeenCalledTimes(times);
  }
});

test("HOST-17 without a network the page tries again later; a void link is asked for once", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  const { tokens, calls, onVoid } = open([{ status: 503 }, { status: 429 }, { status: 401 }]);
  for (let round = 0; round < 5; round++) {
    expect(await tokens.token()).toBe(null);
    expect(await tokens.token()).toBe(null);
    vi.advanceTimersByTime(6_000);
  }
  expect([calls.length, onVoid.mock.calls.length]).toEqual([3, 1]);
});

test("HOST-17 a token that may be void is used until another one is there", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  const { tokens, calls } = open([granted("t1"), { status: 503 }]);
  expect(await tokens.token()).toBe("t1");
  tokens.forget();
  expect(await tokens.token()).toBe("t1");
  expect(calls).toHaveLength(2);
});

test("HOST-18 new links: the page goes on with the new secret", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  const answers = [granted("t1"), granted("t2", { host: "s2", draw: "d2" }), granted("t3")];
  const { tokens, calls } = open(answers);
  expect(await tokens.renew()).toBe("s2");
  expect(calls[1]).toEqual({ url: "http://b/host/v1/links", body: {}, auth: "Bearer t1" });
  expect([await tokens.token(), await tokens.drawingSecret()]).toEqual(["t2", "d2"]);
  tokens.forget();
  await tokens.token();
  expect(calls[2]?.body).toEqual({ secret: "s2" });
  expect(await tokens.renew()).toBe(null);
});

test("HOST-18 while the page makes new links nothing asks with its secret of before, which is void by then", async () => {
  for (const isMade of [true, false]) {
    let respond: (answer: Answer) => void = () => undefined;
    const renewed = new Promise<Answer>((resolve) => (respond = resolve));
    const { tokens, calls, onVoid } = open([granted("t1"), renewed, { status: 401 }]);
    await tokens.token();
    const renewing = tokens.renew();
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    // The backend closes the channel before its answer arrives, and the page asks for a token to join it again.
    tokens.forget();
    const joining = tokens.token();
    respond(isMade ? granted("t2", { host: "s2" }) : { status: 500 });
    expect(await renewing).toBe(isMade ? "s2" : null);
    expect(await joining).toBe(isMade ? "t2" : "t1");
    expect(calls).toHaveLength(2);
    expect(onVoid).not.toHaveBeenCalled();
  }
});

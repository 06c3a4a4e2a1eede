import { expect, test } from "vitest";
import { materialOfSecret } from "../keys/material.ts";
import type { Claims } from "../keys/port.ts";
import { createKeyRing } from "../keys/ring.ts";
import { checkRequest, readCredentials } from "./credentials.ts";

const SECRET = "an-operator-chose-this-secret-of-more-than-32-characters";
const NOW = Date.UTC(2026, 10, 21);
const clock = (): number => NOW;

const user: Claims = {
  role: "authenticated",
  sub: "8d2b4c1e-0000-4000-8000-000000000001",
  iat: NOW / 1000,
  exp: NOW / 1000 + 3600,
};

test("KEY-8 a request without an API key, or with another, gets 401 and the documented body", async () => {
  const ring = await createKeyRing(materialOfSecret(SECRET), clock);
  const ask = (apikey: string | undefined) =>
    checkRequest(ring, { apikey, authorization: `Bearer ${ring.anonKey}` });
  for (const apikey of [undefined, ""])
    expect(await ask(apikey)).toMatchObject({
      ok: false,
      refusal: {
        status: 401,
        body: {
          message: "No API key found in request",
          hint: "No `apikey` request header or url param was found.",
        },
      },
    });
  for (const apikey of ["nonsense", await ring.sign(user), `${ring.anonKey}x`])
    expect(await ask(apikey)).toMatchObject({
      ok: false,
      refusal: {
        status: 401,
        body: { message: "Invalid API key", hint: "Double check your Supabase `apikey`" },
      },
    });
});

test("KEY-9 the bearer decides the role: an API key its own, a user's token authenticated, a bad one 401 PGRST301", async () => {
  const ring = await createKeyRing(materialOfSecret(SECRET), clock);
  const ask = (authorization: string | undefined) =>
    checkRequest(ring, { apikey: ring.anonKey, authorization });
  for (const authorization of [undefined, "", "Basic dTpw", `Bearer ${ring.anonKey}`])
    expect(await ask(authorization)).toMatchObject({ caller: { role: "anon", token: null } });
  expect(await ask(`Bearer ${ring.serviceKey}`)).toMatchObject({
    caller: { role: "service_role" },
  });
  const token = await ring.sign(user);
  expect(await ask(`bearer ${token}`)).toEqual({
    ok: true,
    caller: { role: "authenticated", claims: user, token },
  });
  const expired = await ring.sign({ ...user, exp: NOW / 1000 - 1 });
  for (const [bearer, message] of [
    [expired, "JWT expired"],
    ["rubbish", "JWSError (CompactDecodeError)"],
    ["", "Empty JWT is sent in Authorization header"],
  ])
    expect(await ask(`Bearer ${bearer}`)).toMatchObject({
      ok: false,
      refusal: { status: 401, body: { code: "PGRST301", message } },
    });
});

test("KEY-8 the API key comes from the header, else from the query", () => {
  const read = (headers: Record<string, string | string[]>, query: unknown): string | undefined =>
    readCredentials(headers, query).apikey;
  expect(read({ apikey: "a" }, { apikey: "b" })).toBe("a");
  expect(read({}, { apikey: "b" })).toBe("b");
  expect(read({}, { apikey: ["b", "c"] })).toBeUndefined();
  expect(read({}, null)).toBeUndefined();
});

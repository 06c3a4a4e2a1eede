import { afterAll, beforeAll, test } from "vitest";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { guessAtOnce, guessFactorAtOnce, signInOften } from "../../../testing/auth/guesses.ts";

let one: AuthServer;
let other: AuthServer;

beforeAll(async () => {
  one = await startAuthServer();
  other = await startAuthServer({ beside: one });
});

afterAll(async () => {
  await other.close();
  await one.close();
});

test(
  "AUTH-38 of 60 passwords or codes at once, on two servers and from 60 addresses, 20 are compared where 80 were before",
  () => guessAtOnce([one, other]),
  120_000,
);

test(
  "AUTH-38 of 60 codes of an authenticator at once 20 are compared where 80 were before, also for a thief with sessions",
  () => guessFactorAtOnce([one, other]),
  120_000,
);

test("AUTH-38 a right password is given back", () => signInOften([one, other]), 120_000);

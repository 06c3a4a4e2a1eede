import { afterAll, beforeAll, expect, test } from "vitest";
import { person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer();
});

afterAll(() => server.close());

test.for([
  ["long", "x".repeat(3000)],
  ["half of a surrogate pair", "\ud800"],
])(
  "AUTH-35 an issuer that fits no QR code (%s) is refused, and no factor added",
  async ([, issuer]) => {
    const { client } = await person(server);
    const { error } = await client.auth.mfa.enroll({ factorType: "totp", issuer: issuer ?? "" });
    expect(error?.code).toBe("validation_failed");
    expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
  },
);

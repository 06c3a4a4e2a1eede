import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimsOf, person, sessionOf } from "../../../testing/auth/people.ts";
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

test("AUTH-22 a session that a factor raised to aal2 returns to aal1 when the service key deletes the factor", async () => {
  const { client, id: userId } = await person(server);
  const { data } = await client.auth.mfa.enroll({ factorType: "totp" });
  const totp = new TOTP({ secret: Secret.fromBase32(data?.totp.secret ?? "") });
  const code = totp.generate({ timestamp: server.now() });
  const id = data?.id ?? "";
  expect((await client.auth.mfa.challengeAndVerify({ factorId: id, code })).error).toBeNull();
  expect((await server.admin().auth.admin.mfa.deleteFactor({ id, userId })).error).toBeNull();
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect(claimsOf((await sessionOf(client)).access_token)["aal"]).toBe("aal1");
});

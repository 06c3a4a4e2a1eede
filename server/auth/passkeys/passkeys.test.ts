import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createAuthenticator,
  type AssertionRequest,
  type CreationRequest,
  type Deviation,
} from "../../../testing/auth/authenticator.ts";
import { claimsOf, person, sessionOf } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

const ORIGIN = "http://localhost:3000";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ env: { GOTRUE_PASSKEY_ENABLED: "true" } });
});

afterAll(() => server.close());

test("AUTH-24 a passkey signs in alone: register, sign in, list, rename, delete", async () => {
  const someone = await person(server);
  const key = createAuthenticator(ORIGIN);
  const { passkey } = someone.client.auth;
  const started = await passkey.startRegistration();
  expect(started.error).toBeNull();
  const options = started.data?.options as unknown as CreationRequest;
  const challengeId = started.data?.challenge_id ?? "";
  const made = await passkey.verifyRegistration({
    challengeId,
    credential: key.create(options).toJSON() as never,
  });
  expect(made.data).toMatchObject({ friendly_name: "Passkey" });
  const replayed = await passkey.verifyRegistration({
    challengeId,
    credential: key.create(options).toJSON() as never,
  });
  expect((replayed.error as { code?: string } | null)?.code).toBe("webauthn_challenge_not_found");

  const client = server.client();
  const signIn = async (more?: Deviation): Promise<string | undefined> => {
    const { data } = await client.auth.passkey.startAuthentication();
    const request = data?.options as unknown as AssertionRequest;
    const result = await client.auth.passkey.verifyAuthentication({
      challengeId: data?.challenge_id ?? "",
      credential: key.get(request, more).toJSON() as never,
    });
    return (result.error as { code?: string } | null)?.code ?? result.data?.user?.id;
  };
  // The key made last is not registered.
  expect(await signIn()).toBe("webauthn_verification_failed");
  const owner = createAuthenticator(ORIGIN);
  const second = await passkey.startRegistration();
  await passkey.verifyRegistration({
    challengeId: second.data?.challenge_id ?? "",
    credential: owner.create(second.data?.options as unknown as CreationRequest).toJSON() as never,
  });
  Object.assign(key, owner);
  expect(await signIn({ verified: false })).toBe("webauthn_verification_failed");
  expect(await signIn({ origin: "https://evil.example" })).toBe("webauthn_verification_failed");
  expect(await signIn()).toBe(someone.id);
  expect(claimsOf((await sessionOf(client)).access_token)["amr"]).toMatchObject([
    { method: "passkey" },
  ]);

  const listed = await passkey.list();
  expect(listed.data).toHaveLength(2);
  const id = listed.data?.[1]?.id ?? "";
  expect(
    (await passkey.update({ passkeyId: id, friendlyName: "Laptop" })).data?.friendly_name,
  ).toBe("Laptop");
  const thief = await person(server);
  const foreign = await thief.client.auth.passkey.delete({ passkeyId: id });
  expect(foreign.error?.code).toBe("passkey_not_found");
  const listedByAdmin = await server
    .admin()
    .auth.admin.passkey.listPasskeys({ userId: someone.id });
  expect(listedByAdmin.data?.map((one) => one.friendly_name)).toEqual(["Passkey", "Laptop"]);
  await server.admin().auth.admin.passkey.deletePasskey({
    userId: someone.id,
    passkeyId: listed.data?.[0]?.id ?? "",
  });
  expect((await passkey.delete({ passkeyId: id })).error).toBeNull();
  expect((await passkey.list()).data).toEqual([]);
  expect(await signIn()).toBe("webauthn_verification_failed");
});

test("AUTH-24 a key that is weak or not of the algorithm that it names is not registered", async () => {
  const someone = await person(server);
  const { passkey } = someone.client.auth;
  const register = async (key: Deviation["key"]): Promise<string | undefined> => {
    const started = await passkey.startRegistration();
    const options = started.data?.options as unknown as CreationRequest;
    const credential = createAuthenticator(ORIGIN).create(
      options,
      key === undefined ? {} : { key },
    );
    const made = await passkey.verifyRegistration({
      challengeId: started.data?.challenge_id ?? "",
      credential: credential.toJSON() as never,
    });
    return (made.error as { code?: string } | null)?.code;
  };
  for (const key of [512, 1024, "labelled RS256"] as const)
    expect([key, await register(key)]).toEqual([key, "webauthn_verification_failed"]);
  expect(await register(2048)).toBeUndefined();
  expect(await register(undefined)).toBeUndefined();
});

test("a passkey ceremony is over after five minutes, and passkeys are off unless they are turned on", async () => {
  const someone = await person(server);
  const key = createAuthenticator(ORIGIN);
  const started = await someone.client.auth.passkey.startRegistration();
  server.advance(301_000);
  const expired = await someone.client.auth.passkey.verifyRegistration({
    challengeId: started.data?.challenge_id ?? "",
    credential: key.create(started.data?.options as unknown as CreationRequest).toJSON() as never,
  });
  expect((expired.error as { code?: string } | null)?.code).toBe("webauthn_challenge_expired");
  const plain = await startAuthServer();
  const off = await plain.client().auth.passkey.startAuthentication();
  expect(off.error?.code).toBe("passkey_disabled");
  await plain.close();
});

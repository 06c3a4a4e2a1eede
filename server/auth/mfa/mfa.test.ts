import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createAuthenticator,
  type AssertionRequest,
  type CreationRequest,
  type Deviation,
} from "../../../testing/auth/authenticator.ts";
import {
  PASSWORD,
  claimsOf,
  freshPhone,
  person,
  type Person,
} from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { insert, type Values } from "../store/rows.ts";

const ORIGIN = "http://localhost:3000";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({
    env: {
      GOTRUE_MFA_PHONE_ENROLL_ENABLED: "true",
      GOTRUE_MFA_PHONE_VERIFY_ENABLED: "true",
      GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED: "true",
      GOTRUE_MFA_WEBAUTHN_VERIFY_ENABLED: "true",
      GOTRUE_PASSKEY_ENABLED: "true",
      GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY: "1000",
    },
  });
});

afterAll(() => server.close());

interface Totp {
  readonly factorId: string;
  code(): string;
}

async function enrollTotp(someone: Person, friendlyName = "phone"): Promise<Totp> {
  const { data, error } = await someone.client.auth.mfa.enroll({
    factorType: "totp",
    friendlyName,
    issuer: "Inkpool",
  });
  if (error !== null) throw error;
  expect(data.totp.uri).toContain("otpauth://totp/Inkpool:");
  expect(data.totp.qr_code).toMatch(
    /^data:image\/svg\+xml;utf-8,<svg[^>]* width="\d+" height="\d+"/,
  );
  const totp = new TOTP({ secret: Secret.fromBase32(data.totp.secret) });
  return { factorId: data.id, code: () => totp.generate({ timestamp: server.now() }) };
}

test("AUTH-22 a TOTP code raises the session to aal2, once, and ends the user's sessions without a second factor", async () => {
  const someone = await person(server);
  const other = server.client();
  await other.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  const totp = await enrollTotp(someone);
  const before = await someone.client.auth.mfa.getAuthenticatorAssuranceLevel();
  expect(before.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
  const code = totp.code();
  const wrong = await someone.client.auth.mfa.challengeAndVerify({
    factorId: totp.factorId,
    code: code === "123456" ? "654321" : "123456",
  });
  expect(wrong.error?.code).toBe("mfa_verification_failed");
  const { data, error } = await someone.client.auth.mfa.challengeAndVerify({
    factorId: totp.factorId,
    code,
  });
  expect(error).toBeNull();
  expect(claimsOf(data?.access_token ?? "")).toMatchObject({
    aal: "aal2",
    amr: [{ method: "totp" }, { method: "password" }],
  });
  const after = await someone.client.auth.mfa.getAuthenticatorAssuranceLevel();
  expect(after.data).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });
  expect((await other.auth.getUser()).error).not.toBeNull();

  const again = await someone.client.auth.mfa.challengeAndVerify({ factorId: totp.factorId, code });
  expect(again.error?.code).toBe("mfa_verification_failed");
  const refreshed = await someone.client.auth.refreshSession();
  expect(claimsOf(refreshed.data.session?.access_token ?? "")["aal"]).toBe("aal2");
  const listed = await someone.client.auth.mfa.listFactors();
  expect(listed.data?.totp).toMatchObject([
    { id: totp.factorId, status: "verified", friendly_name: "phone" },
  ]);
});

test("AUTH-22 with a verified factor, aal1 may not change password, address, number, factors, passkeys or identities, nor end other sessions", async () => {
  const someone = await person(server);
  const totp = await enrollTotp(someone);
  await someone.client.auth.mfa.challengeAndVerify({ factorId: totp.factorId, code: totp.code() });
  const weak = server.client();
  const { data } = await weak.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  expect(claimsOf(data.session?.access_token ?? "")["aal"]).toBe("aal1");
  expect((await weak.auth.mfa.getAuthenticatorAssuranceLevel()).data?.nextLevel).toBe("aal2");
  const tries = [
    await weak.auth.updateUser({ password: "a new password" }),
    await weak.auth.mfa.enroll({ factorType: "totp", friendlyName: "thief" }),
    await weak.auth.mfa.unenroll({ factorId: totp.factorId }),
    await weak.auth.passkey.startRegistration(),
  ];
  for (const { error } of tries)
    expect(error).toMatchObject({ code: "insufficient_aal", status: 403 });
  const gone = await someone.client.auth.mfa.unenroll({ factorId: totp.factorId });
  expect(gone.data?.id).toBe(totp.factorId);
  const { data: plain } = await someone.client.auth.refreshSession();
  expect(claimsOf(plain.session?.access_token ?? "")["aal"]).toBe("aal1");
});

test("a challenge is its owner's, is valid for 300 seconds, takes 5 guesses and belongs to one address", async () => {
  const someone = await person(server, { ip: "192.0.2.1" });
  const thief = await person(server);
  const totp = await enrollTotp(someone);
  const foreign = await thief.client.auth.mfa.challenge({ factorId: totp.factorId });
  expect(foreign.error?.code).toBe("mfa_factor_not_found");
  const { data: challenge } = await someone.client.auth.mfa.challenge({ factorId: totp.factorId });
  const challengeId = challenge?.id ?? "";
  const moved = server.client({ ip: "192.0.2.2" });
  await moved.auth.setSession(await someone.session());
  const elsewhere = await moved.auth.mfa.verify({
    factorId: totp.factorId,
    challengeId,
    code: totp.code(),
  });
  expect(elsewhere.error?.code).toBe("mfa_ip_address_mismatch");
  for (let guess = 0; guess < 4; guess++)
    await someone.client.auth.mfa.verify({ factorId: totp.factorId, challengeId, code: "abcdef" });
  const sixth = await someone.client.auth.mfa.verify({
    factorId: totp.factorId,
    challengeId,
    code: totp.code(),
  });
  expect(sixth.error?.code).toBe("mfa_challenge_expired");
  const { data: next } = await someone.client.auth.mfa.challenge({ factorId: totp.factorId });
  server.advance(301_000);
  const expired = await someone.client.auth.mfa.verify({
    factorId: totp.factorId,
    challengeId: next?.id ?? "",
    code: totp.code(),
  });
  expect(expired.error?.code).toBe("mfa_challenge_expired");
});

test("names and numbers of factors are unique, and their count is limited", async () => {
  const someone = await person(server);
  await enrollTotp(someone, "one");
  const twice = await someone.client.auth.mfa.enroll({ factorType: "totp", friendlyName: "one" });
  expect(twice.error?.code).toBe("mfa_factor_name_conflict");
  for (let more = 2; more <= 10; more++) await enrollTotp(someone, `factor ${more}`);
  const full = await someone.client.auth.mfa.enroll({ factorType: "totp", friendlyName: "eleven" });
  expect(full.error?.code).toBe("too_many_enrolled_mfa_factors");
  const plain = await startAuthServer();
  const another = await person(plain);
  const off = await another.client.auth.mfa.enroll({ factorType: "phone", phone: freshPhone() });
  expect(off.error?.code).toBe("mfa_phone_enroll_not_enabled");
  await plain.close();
});

test("a phone factor's code is sent by text message", async () => {
  const someone = await person(server);
  const phone = freshPhone();
  const { data: factor } = await someone.client.auth.mfa.enroll({
    factorType: "phone",
    phone,
    friendlyName: "mobile",
  });
  const factorId = factor?.id ?? "";
  const { data: challenge } = await someone.client.auth.mfa.challenge({ factorId, channel: "sms" });
  const { code } = await server.mailTo(`+${phone}`);
  const challengeId = challenge?.id ?? "";
  const wrong = await someone.client.auth.mfa.verify({
    factorId,
    challengeId,
    code: code === "000000" ? "111111" : "000000",
  });
  expect(wrong.error?.code).toBe("mfa_verification_failed");
  const right = await someone.client.auth.mfa.verify({ factorId, challengeId, code });
  expect(claimsOf(right.data?.access_token ?? "")).toMatchObject({
    aal: "aal2",
    amr: [{ method: "mfa/phone" }, {}],
  });
  const again = await someone.client.auth.mfa.verify({ factorId, challengeId, code });
  expect(again.error?.code).toBe("mfa_factor_not_found");
});

test("AUTH-24 a security key is a second factor: the first challenge creates it, later ones ask for it", async () => {
  const someone = await person(server);
  const key = createAuthenticator(ORIGIN);
  const webauthn = { rpId: "localhost", rpOrigins: [ORIGIN] };
  const { data: factor } = await someone.client.auth.mfa.enroll({
    factorType: "webauthn",
    friendlyName: "key",
  });
  const factorId = factor?.id ?? "";
  const ceremony = async (more?: Deviation): Promise<string | undefined> => {
    const { data, error } = await someone.client.auth.mfa.challenge({ factorId, webauthn });
    if (error !== null) throw error;
    const options: unknown = data.webauthn.credential_options.publicKey;
    const credential =
      data.webauthn.type === "create"
        ? key.create(options as CreationRequest, more)
        : key.get(options as AssertionRequest, more);
    const verified = await someone.client.auth.mfa.verify({
      factorId,
      challengeId: data.id,
      webauthn: { ...webauthn, type: data.webauthn.type, credential_response: credential as never },
    });
    return verified.error?.code ?? String(claimsOf(verified.data?.access_token ?? "")["aal"]);
  };
  expect(await ceremony({ origin: "https://evil.example" })).toBe("mfa_verification_failed");
  expect(await ceremony()).toBe("aal2");
  expect(await ceremony({ rpId: "evil.example" })).toBe("mfa_verification_failed");
  expect(await ceremony()).toBe("aal2");
  expect(await ceremony({ count: 1 })).toBe("mfa_verification_failed");
  expect(claimsOf((await someone.session()).access_token)["amr"]).toMatchObject([
    { method: "mfa/webauthn" },
    {},
  ]);
  const foreign = { rpId: "evil.example", rpOrigins: ["https://evil.example"] };
  const refused = await someone.client.auth.mfa.challenge({ factorId, webauthn: foreign });
  expect(refused.error?.code).toBe("validation_failed");
});

test("AUTH-24 a security key is not replaced by a challenge from before it was verified", async () => {
  const someone = await person(server);
  const thief = server.client();
  await thief.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  const webauthn = { rpId: "localhost", rpOrigins: [ORIGIN] };
  const { data: factor } = await someone.client.auth.mfa.enroll({
    factorType: "webauthn",
    friendlyName: "key",
  });
  const factorId = factor?.id ?? "";
  const begin = async (client: Person["client"]): Promise<() => Promise<string | undefined>> => {
    const { data, error } = await client.auth.mfa.challenge({ factorId, webauthn });
    if (error !== null) throw error;
    const options: unknown = data.webauthn.credential_options.publicKey;
    const created = createAuthenticator(ORIGIN).create(options as CreationRequest);
    const answer = { ...webauthn, type: "create", credential_response: created as never } as const;
    return async () =>
      (await client.auth.mfa.verify({ factorId, challengeId: data.id, webauthn: answer })).error
        ?.code;
  };
  const early = await begin(thief);
  const { rows } = await server.database.query(
    "select * from auth_challenges where factor_id = $1",
    [factorId],
  );
  const finish = await begin(someone.client);
  expect(await finish()).toBeUndefined();
  await thief.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  expect(await early()).toBe("mfa_factor_not_found");
  // A challenge that another request stores only now was for the unverified factor as well.
  await insert(server.database, "auth_challenges", rows[0] as Values);
  expect(await early()).toBe("mfa_verification_failed");
});

test("a factor that is no UUID is not found, nor is anything else that a path names so", async () => {
  const someone = await person(server);
  const own = { authorization: `Bearer ${(await someone.session()).access_token}` };
  const service = { authorization: `Bearer ${server.serviceKey}` };
  const calls = [
    ["DELETE", "/factors/nonsense", own, "factor_id"],
    ["POST", "/factors/nonsense/challenge", own, "factor_id"],
    ["POST", "/factors/nonsense/verify", own, "factor_id"],
    ["DELETE", "/passkeys/nonsense", own, "passkey_id"],
    ["GET", "/admin/users/nonsense", service, "user_id"],
  ] as const;
  for (const [method, path, headers, name] of calls) {
    const response = await server.call(path, { method, headers });
    expect([path, response.status, await response.json()]).toEqual([
      path,
      404,
      { code: 404, error_code: "validation_failed", msg: `${name} must be an UUID` },
    ]);
  }
});

test("enrolling factors has no limit per address", async () => {
  const own = await startAuthServer({
    env: { GOTRUE_MFA_MAX_ENROLLED_FACTORS: "20", GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY: "2" },
  });
  const someone = await person(own, { ip: "192.0.2.7" });
  for (let factor = 0; factor < 20; factor++) {
    const friendlyName = `factor ${factor}`;
    const { error } = await someone.client.auth.mfa.enroll({ factorType: "totp", friendlyName });
    expect(error).toBeNull();
  }
  await own.close();
});

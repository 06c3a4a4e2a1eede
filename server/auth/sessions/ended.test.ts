/** Tests that a request is not completed when its proof has become void since it was checked. */

import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  createAuthenticator,
  type AssertionRequest,
  type CreationRequest,
} from "../../../testing/auth/authenticator.ts";
import {
  newcomer,
  providerSettings,
  startOpenIdProvider,
  type OpenIdProvider,
} from "../../../testing/auth/openid-provider.ts";
import { PASSWORD, follow, person, type Person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { DatabaseUnavailable } from "../../storage/faults.ts";

const NEW_PASSWORD = "a new password";

let provider: OpenIdProvider;
let server: AuthServer;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  server = await startAuthServer({
    env: {
      ...providerSettings(provider, "KEYCLOAK"),
      GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: "true",
      GOTRUE_PASSKEY_ENABLED: "true",
    },
  });
});

afterAll(async () => {
  await server.close();
  await provider.close();
});

/** Runs `event` right before the server's next transaction: the request of that transaction has passed its checks. */
function beforeNextTransaction(event: () => Promise<unknown>): void {
  const { database } = server;
  vi.spyOn(database, "transaction").mockImplementationOnce(async (work, actor) => {
    await event();
    return database.transaction(work, actor);
  });
}

/** Has the server's next transaction do its work, and fail at the end. */
function failNextCommit(): void {
  const { database } = server;
  vi.spyOn(database, "transaction").mockImplementationOnce((work, actor) =>
    database.transaction(async (tx) => {
      await work(tx);
      throw new DatabaseUnavailable("test");
    }, actor),
  );
}

async function changePassword({ client }: Person): Promise<void> {
  expect((await client.auth.updateUser({ password: NEW_PASSWORD })).error).toBeNull();
}

/** Makes a user, and a session of somebody else who knows the password. */
async function robbed(): Promise<{ someone: Person; thief: Person["client"] }> {
  const someone = await person(server);
  const thief = server.client();
  await thief.auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  return { someone, thief };
}

type Result = Promise<{ readonly error: unknown }>;

/** Prepares a request of a session, and returns the function that sends it. */
type Attempt = (thief: Person["client"]) => Promise<() => Result>;

const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  "a password":
    async ({ auth }) =>
    () =>
      auth.updateUser({ password: "the thief's password" }),
  "a second factor":
    async ({ auth }) =>
    () =>
      auth.mfa.enroll({ factorType: "totp" }),
  "a passkey": async ({ auth }) => {
    const { data } = await auth.passkey.startRegistration();
    const options = data?.options as unknown as CreationRequest;
    const credential = createAuthenticator("http://localhost:3000").create(options).toJSON();
    const challengeId = data?.challenge_id ?? "";
    return () => auth.passkey.verifyRegistration({ challengeId, credential: credential as never });
  },
  "an identity":
    async ({ auth }) =>
    () =>
      auth.linkIdentity({ provider: "keycloak" }),
  "an identity by its token": async ({ auth }) => {
    provider.person = newcomer();
    const token = await provider.idToken();
    return () => auth.linkIdentity({ provider: "keycloak", token });
  },
};

test.for(Object.entries(ATTEMPTS))(
  "AUTH-19 a session that a new password ends adds no way into the account, however late its request is: %s",
  async ([, prepare]) => {
    const { someone, thief } = await robbed();
    const send = await prepare(thief);
    beforeNextTransaction(() => changePassword(someone));
    // The client gives session_not_found a name of its own.
    expect(await send()).toMatchObject({ error: { name: "AuthSessionMissingError" } });
    const { error } = await server
      .client()
      .auth.signInWithPassword({ email: someone.email, password: NEW_PASSWORD });
    expect(error).toBeNull();
  },
);

test("AUTH-19 a new password cancels the identity about which the provider is being asked", async () => {
  const { someone, thief } = await robbed();
  provider.person = newcomer();
  const { data } = await thief.auth.linkIdentity({ provider: "keycloak" });
  const back = await fetch(data?.url ?? "", { redirect: "manual" });
  beforeNextTransaction(() => changePassword(someone));
  const { values } = await follow(back.headers.get("location") ?? "");
  expect(values.get("error_code")).toBe("bad_oauth_state");
  const { data: found } = await server.admin().auth.admin.getUserById(someone.id);
  expect(found.user?.identities?.map((one) => one.provider)).toEqual(["email"]);
});

test("AUTH-22 a factor that is verified meanwhile is not removed as one that is not", async () => {
  const someone = await person(server);
  const { mfa } = someone.client.auth;
  const { data } = await mfa.enroll({ factorType: "totp" });
  const factorId = data?.id ?? "";
  const totp = new TOTP({ secret: Secret.fromBase32(data?.totp.secret ?? "") });
  const { access_token: token } = await someone.session();
  beforeNextTransaction(async () => {
    const code = totp.generate({ timestamp: server.now() });
    expect((await mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
  });
  const removed = await server.call(`/factors/${factorId}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await removed.json()).toMatchObject({ error_code: "insufficient_aal" });
});

test("AUTH-19 a password signs nobody in that was replaced while it was compared", async () => {
  const someone = await person(server);
  beforeNextTransaction(() => changePassword(someone));
  const { error } = await server
    .client()
    .auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  expect(error?.code).toBe("invalid_credentials");
});

test("AUTH-19 a sign-in beside the ban of its user is refused", async () => {
  const someone = await person(server);
  const ban = { ban_duration: "1h" };
  beforeNextTransaction(() => server.admin().auth.admin.updateUserById(someone.id, ban));
  const { error } = await server
    .client()
    .auth.signInWithPassword({ email: someone.email, password: PASSWORD });
  expect(error?.code).toBe("user_banned");
});

test("AUTH-19 a code that a new password cancels is not exchanged, however late its request is", async () => {
  const someone = await person(server);
  const thief = server.client({ flowType: "pkce" });
  await thief.auth.signInWithOtp({ email: someone.email });
  const { url } = await follow((await server.mailTo(someone.email)).link);
  beforeNextTransaction(() => changePassword(someone));
  const { error } = await thief.auth.exchangeCodeForSession(url.searchParams.get("code") ?? "");
  expect(error?.code).toBe("flow_state_not_found");
});

test("AUTH-18 a code whose exchange the database does not commit is exchanged by the next try", async () => {
  const { email } = await person(server);
  const post = (path: string, body: object): Promise<Response> =>
    server.call(path, { method: "POST", body: JSON.stringify(body) });
  const verifier = "v".repeat(43);
  const challenge = { code_challenge: verifier, code_challenge_method: "plain" };
  await post("/otp", { email, ...challenge });
  const { url } = await follow((await server.mailTo(email)).link);
  const exchange = async (): Promise<number> => {
    const auth_code = url.searchParams.get("code");
    const body = { auth_code, code_verifier: verifier };
    return (await post("/token?grant_type=pkce", body)).status;
  };
  failNextCommit();
  expect([await exchange(), await exchange(), await exchange()]).toEqual([503, 200, 404]);
});

test("AUTH-13 a mail's code whose sign-in the database does not commit signs in at the next try, once", async () => {
  const { email } = await person(server);
  await server.client().auth.signInWithOtp({ email });
  const { code: token } = await server.mailTo(email);
  const verify = async (): Promise<number> => {
    const body = JSON.stringify({ type: "email", email, token });
    return (await server.call("/verify", { method: "POST", body })).status;
  };
  failNextCommit();
  expect([await verify(), await verify(), await verify()]).toEqual([503, 200, 403]);
});

test("AUTH-24 a passkey that is deleted while its signature is checked signs nobody in, nor does a banned user's", async () => {
  const { client, id: userId } = await person(server);
  const key = createAuthenticator("http://localhost:3000");
  const started = await client.auth.passkey.startRegistration();
  const options = started.data?.options as unknown as CreationRequest;
  const made = await client.auth.passkey.verifyRegistration({
    challengeId: started.data?.challenge_id ?? "",
    credential: key.create(options).toJSON() as never,
  });
  const { passkey } = server.client().auth;
  const signIn = async (event: () => Promise<unknown>): Promise<unknown> => {
    const { data } = await passkey.startAuthentication();
    const request = data?.options as unknown as AssertionRequest;
    const challengeId = data?.challenge_id ?? "";
    const credential = key.get(request).toJSON() as never;
    beforeNextTransaction(event);
    return (await passkey.verifyAuthentication({ challengeId, credential })).error;
  };
  const { admin } = server.admin().auth;
  const banned = await signIn(() => admin.updateUserById(userId, { ban_duration: "1h" }));
  expect(banned).toMatchObject({ code: "user_banned" });
  await admin.updateUserById(userId, { ban_duration: "none" });
  const passkeyId = made.data?.id ?? "";
  const deleted = await signIn(() => admin.passkey.deletePasskey({ userId, passkeyId }));
  expect(deleted).toMatchObject({ code: "webauthn_verification_failed" });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthenticator, type CreationRequest } from "../../../testing/auth/authenticator.ts";
import { PASSWORD, freshEmail, freshPhone, person } from "../../../testing/auth/people.ts";
import { freshAddress, startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({
    env: {
      GOTRUE_PASSKEY_ENABLED: "true",
      GOTRUE_EXTERNAL_PHONE_ENABLED: "true",
      GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: "false",
    },
  });
});

afterAll(() => server.close());

/** Returns the newest entry of an action. */
async function newest(action: string): Promise<unknown> {
  const response = await server.call("/admin/audit", {
    headers: { authorization: `Bearer ${server.serviceKey}` },
  });
  const entries = (await response.json()) as { payload: { action: string } }[];
  return entries.find((entry) => entry.payload.action === action);
}

test("AUTH-33 the log names the user who deletes a passkey of theirs, and the service key that deletes another's", async () => {
  const { client, id } = await person(server);
  const { passkey } = client.auth;
  const register = async (): Promise<string> => {
    const { data } = await passkey.startRegistration();
    const options = data?.options as unknown as CreationRequest;
    const credential = createAuthenticator("http://localhost:3000").create(options).toJSON();
    const challengeId = data?.challenge_id ?? "";
    const made = await passkey.verifyRegistration({ challengeId, credential: credential as never });
    return made.data?.id ?? "";
  };
  await passkey.delete({ passkeyId: await register() });
  expect(await newest("passkey_deleted")).toMatchObject({ payload: { actor_id: id } });
  const passkeyId = await register();
  await server.admin().auth.admin.passkey.deletePasskey({ userId: id, passkeyId });
  const own = { actor_id: null, actor_username: "service_role", traits: { user_id: id } };
  expect(await newest("passkey_deleted")).toMatchObject({ payload: own });
});

test("AUTH-33 the log says from where a change of address was confirmed", async () => {
  const { client, id } = await person(server);
  const email = freshEmail();
  await client.auth.updateUser({ email });
  const { code } = await server.mailTo(email);
  const ip = freshAddress();
  const { auth } = server.client({ ip });
  const changed = await auth.verifyOtp({ email, token: code, type: "email_change" });
  expect(changed.error).toBeNull();
  const entry = { ip_address: ip, payload: { actor_id: id, actor_username: email } };
  expect(await newest("user_modified")).toMatchObject(entry);
});

test("AUTH-33 the log says that a sign-up with a taken number is repeated", async () => {
  const phone = freshPhone();
  const user = { phone, phone_confirm: true, password: PASSWORD };
  const { data } = await server.admin().auth.admin.createUser(user);
  await server.client().auth.signUp({ phone: `+${phone}`, password: PASSWORD });
  const entry = { payload: { actor_id: data.user?.id } };
  expect(await newest("user_repeated_signup")).toMatchObject(entry);
});

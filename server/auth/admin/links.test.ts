import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, follow, freshEmail, person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ env: { GOTRUE_EXTERNAL_PHONE_ENABLED: "true" } });
});

afterAll(() => server.close());

test("generateLink gives every kind of link and code without sending a mail", async () => {
  const { admin } = server.admin().auth;
  const before = (await server.mails()).length;
  const email = freshEmail();
  const signUp = await admin.generateLink({ type: "signup", email, password: PASSWORD });
  expect(signUp.data.properties?.verification_type).toBe("signup");
  expect((await follow(signUp.data.properties?.action_link ?? "")).values.get("type")).toBe(
    "signup",
  );

  const magic = await admin.generateLink({ type: "magiclink", email });
  const hash = magic.data.properties?.hashed_token ?? "";
  const byHash = await server.client().auth.verifyOtp({ token_hash: hash, type: "magiclink" });
  expect(byHash.data.user?.email).toBe(email);

  const recovery = await admin.generateLink({ type: "recovery", email });
  const token = recovery.data.properties?.email_otp ?? "";
  expect(
    (await server.client().auth.verifyOtp({ email, token, type: "recovery" })).error,
  ).toBeNull();

  const newEmail = freshEmail("next");
  const current = await admin.generateLink({ type: "email_change_current", email, newEmail });
  const fresh = await admin.generateLink({ type: "email_change_new", email, newEmail });
  await follow(current.data.properties?.action_link ?? "");
  expect(
    (await follow(fresh.data.properties?.action_link ?? "")).values.get("access_token"),
  ).toBeTruthy();
  expect((await admin.getUserById(signUp.data.user?.id ?? "")).data.user?.email).toBe(newEmail);

  const invited = await admin.generateLink({ type: "invite", email: freshEmail() });
  expect((await follow(invited.data.properties?.action_link ?? "")).values.get("type")).toBe(
    "invite",
  );
  const unknown = await admin.generateLink({ type: "recovery", email: freshEmail() });
  expect(unknown.error?.code).toBe("user_not_found");
  const taken = await admin.generateLink({ type: "signup", email: newEmail, password: PASSWORD });
  expect(taken.error?.code).toBe("email_exists");
  expect((await server.mails()).length).toBe(before);
});

test("AUTH-19 two links for one address of a change do not complete it", async () => {
  const { client, email } = await person(server);
  const order = { type: "email_change_current", email, newEmail: freshEmail("next") } as const;
  for (let round = 0; round < 2; round++) {
    const { data } = await server.admin().auth.admin.generateLink(order);
    const half = await follow(data.properties?.action_link ?? "");
    expect(half.values.get("message")).toContain("other email");
  }
  expect((await client.auth.getUser()).data.user?.email).toBe(email);
});

test("an invitation's link signs in, and the invited person sets a password", async () => {
  const email = freshEmail();
  const { data } = await server.admin().auth.admin.inviteUserByEmail(email, {
    data: { team: "ink" },
    redirectTo: "http://localhost:3000/welcome",
  });
  expect(data.user).toMatchObject({ email, user_metadata: { team: "ink" } });
  expect(data.user?.invited_at).toBeTruthy();
  const mail = await server.mailTo(email);
  expect(mail.subject).toBe("You have been invited");
  const { url, values } = await follow(mail.link);
  expect(url.pathname).toBe("/welcome");
  const client = server.client();
  await client.auth.setSession({
    access_token: values.get("access_token") ?? "",
    refresh_token: values.get("refresh_token") ?? "",
  });
  expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull();
  const again = await server.admin().auth.admin.inviteUserByEmail(email);
  expect(again.error?.code).toBe("email_exists");
});

test("create, list, get, update, delete and a new secret, which is shown once", async () => {
  const { oauth } = server.admin().auth.admin;
  const made = await oauth.createClient({
    client_name: "Desk",
    redirect_uris: ["https://desk.example/back"],
  });
  expect(made.data).toMatchObject({
    client_name: "Desk",
    client_type: "confidential",
    registration_type: "manual",
    token_endpoint_auth_method: "client_secret_basic",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  });
  const id = made.data?.client_id ?? "";
  expect(made.data?.client_secret).toBeTruthy();
  const read = await oauth.getClient(id);
  expect(read.data).not.toHaveProperty("client_secret");
  const fresh = await oauth.regenerateClientSecret(id);
  expect(fresh.data?.client_secret).not.toBe(made.data?.client_secret);
  const changed = await oauth.updateClient(id, {
    client_name: "Desktop",
    redirect_uris: ["http://localhost:9/back"],
  });
  expect(changed.data).toMatchObject({
    client_name: "Desktop",
    redirect_uris: ["http://localhost:9/back"],
  });
  const open = await oauth.createClient({
    client_name: "Phone",
    redirect_uris: ["inkpool://back"],
    token_endpoint_auth_method: "none",
  });
  expect(open.data).toMatchObject({ client_type: "public" });
  expect(open.data).not.toHaveProperty("client_secret");
  expect((await oauth.regenerateClientSecret(open.data?.client_id ?? "")).error?.code).toBe(
    "validation_failed",
  );
  const listed = await oauth.listClients({ page: 1, perPage: 1 });
  expect(listed.data).toMatchObject({ total: 2, nextPage: 2 });
  expect(listed.data.clients).toHaveLength(1);
  for (const redirect of [
    "http://desk.example/",
    "javascript:alert(1)",
    "https://desk.example/#x",
    "nonsense",
  ]) {
    const bad = await oauth.createClient({ client_name: "Bad", redirect_uris: [redirect] });
    expect(bad.error?.code).toBe("validation_failed");
  }
  expect((await oauth.deleteClient(id)).error).toBeNull();
  expect((await oauth.getClient(id)).error).toMatchObject({
    code: "oauth_client_not_found",
    status: 404,
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import {
  BACK,
  createTestClient,
  oauthServerEnv,
  tokensFor,
} from "../../../testing/auth/oauth-client.ts";
import { person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { removeExpired } from "../context/counters.ts";
import { parseAuthSettings } from "../settings/settings.ts";
import { clientsServer } from "./clients-bed.case.ts";

let server: AuthServer;
const opened = clientsServer();
beforeAll(() => {
  server = opened();
});

describe("registration", () => {
  async function register(body: object, at = server): Promise<Response> {
    return at.call("/oauth/clients/register", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  }

  test("a client registers itself with bounded fields and addresses that are safe to return to", async () => {
    const made = await register({
      redirect_uris: [
        BACK,
        "http://127.0.0.1:7777/back",
        "com.example.app:/back",
        "cursor://x/back",
      ],
      client_name: "Planner",
      software_id: "unknown fields are left out",
    });
    expect([made.status, await made.json()]).toEqual([
      201,
      expect.objectContaining({
        client_name: "Planner",
        client_secret: expect.stringMatching(/^[\w-]{43}$/),
        client_secret_expires_at: 0,
        registration_type: "dynamic",
        token_endpoint_auth_method: "client_secret_basic",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      }),
    ]);
    const open = await register({ redirect_uris: [BACK], client_type: "public" });
    expect(await open.json()).not.toHaveProperty("client_secret");
    const wrong: readonly object[] = [
      {},
      { redirect_uris: [] },
      { redirect_uris: "https://a.example" },
      { redirect_uris: Array.from({ length: 11 }, (_, i) => `${BACK}/${i}`) },
      { redirect_uris: [`${BACK}/${"x".repeat(2048)}`] },
      { redirect_uris: ["http://planner.example/back"] },
      { redirect_uris: ["https://user:pass@planner.example"] },
      { redirect_uris: ["https://planner.example/#x"] },
      { redirect_uris: ["javascript:alert(1)"] },
      { redirect_uris: ["java\nscript:alert(1)"] },
      { redirect_uris: ["data:text/html,x"] },
      { redirect_uris: ["jar:https://evil.example!/back"] },
      { redirect_uris: ["JAR:https://evil.example!/back"] },
      { redirect_uris: ["jar://evil.example/back"] },
      { redirect_uris: ["feed:https://evil.example"] },
      { redirect_uris: ["wyciwyg:https://evil.example"] },
      { redirect_uris: ["https://*.example/"] },
      { redirect_uris: ["https://a*.example/"] },
      { redirect_uris: ["/back"] },
      { redirect_uris: ["https:\\\\planner.example"] },
      { redirect_uris: [BACK], client_name: "n".repeat(1025) },
      { redirect_uris: [BACK], client_uri: "javascript:alert(1)" },
      { redirect_uris: [BACK], logo_uri: `https://a.example/${"x".repeat(2048)}` },
      { redirect_uris: [BACK], grant_types: ["password"] },
      { redirect_uris: [BACK], response_types: ["token"] },
      { redirect_uris: [BACK], token_endpoint_auth_method: "private_key_jwt" },
      { redirect_uris: [BACK], token_endpoint_auth_method: "none", client_type: "confidential" },
      { redirect_uris: [BACK], scope: "s".repeat(1025) },
      { redirect_uris: Array.from({ length: 9 }, (_, i) => `${BACK}/${"x".repeat(1000)}${i}`) },
    ];
    for (const body of wrong) {
      const response = await register(body);
      expect([body, response.status]).toEqual([body, 400]);
    }
  });

  test("where it is off nobody registers, and the metadata does not name it; a client that nobody approved goes after 30 days", async () => {
    const off = await startAuthServer({
      env: { ...oauthServerEnv(), GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: "false" },
    });
    const refused = await register({ redirect_uris: [BACK] }, off);
    expect([refused.status, refused.headers.get("x-sb-error-code")]).toEqual([
      403,
      "oauth_dynamic_client_registration_disabled",
    ]);
    const metadata = await (await off.call("/.well-known/openid-configuration")).json();
    expect(metadata).not.toHaveProperty("registration_endpoint");
    await off.close();
    const own = await startAuthServer({ env: oauthServerEnv() });
    const parsed = parseAuthSettings({});
    if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
    const clean = { settings: parsed.settings, database: own.database, clock: own.now };
    const names = async (): Promise<readonly unknown[]> =>
      (await own.database.query("select name from auth_oauth_clients order by name")).rows.map(
        (row) => row["name"],
      );
    const ids: string[] = [];
    for (const name of ["approved", "never approved"]) {
      const made = await register(
        { redirect_uris: [BACK], client_name: name, client_type: "public" },
        own,
      );
      ids.push(((await made.json()) as { client_id: string }).client_id);
    }
    await createTestClient(own);
    await tokensFor(own, (await person(own)).client, ids[0] ?? "");
    own.advance(29 * 86_400_000);
    await removeExpired(clean);
    expect(await names()).toEqual(["Planner", "approved", "never approved"]);
    own.advance(2 * 86_400_000);
    await removeExpired(clean);
    expect(await names()).toEqual(["Planner", "approved"]);
    await own.close();
  });

  test("at most 1,000 clients wait for a first approval; a new one replaces the oldest of them", async () => {
    const own = await startAuthServer({ env: oauthServerEnv() });
    const made = await register({ redirect_uris: [BACK], client_type: "public" }, own);
    const first = ((await made.json()) as { client_id: string }).client_id;
    await tokensFor(own, (await person(own)).client, first);
    const at = new Date(own.now()).toISOString();
    for (let index = 0; index < 1001; index++)
      await own.database.query(
        `insert into auth_oauth_clients
           (id, name, client_type, auth_method, redirect_uris, grant_types, response_types, registration_type, created_at, updated_at)
         values ($1, $2, 'public', 'none', '[]', '[]', '["code"]', 'dynamic', $3, $3)`,
        [crypto.randomUUID(), `waiting ${index}`, index === 0 ? "2020-01-01T00:00:00.000Z" : at],
      );
    own.advance(1000);
    expect((await register({ redirect_uris: [BACK], client_name: "new" }, own)).status).toBe(201);
    const { rows } = await own.database.query(
      "select name from auth_oauth_clients where name in ('new', 'waiting 0') or id = $1 order by name",
      [first],
    );
    expect(rows.map((row) => row["name"])).toEqual(["", "new"]);
    const all = await own.database.query("select id from auth_oauth_clients");
    expect(all.rows).toHaveLength(1001);
    await own.close();
  });
});

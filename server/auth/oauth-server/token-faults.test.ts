/** Tests refusals at the token endpoint. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ask,
  consent,
  createTestClient,
  oauthServerEnv,
  postToken,
} from "../../../testing/auth/oauth-client.ts";
import { PASSWORD, person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import "../../../testing/random/fast-check.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({ env: oauthServerEnv() });
});

afterAll(() => server.close());

describe("POST /oauth/token refuses", () => {
  test("a wrong verifier, address, resource or client gets nothing and leaves the code to its owner; age, sign-out and a ban end it", async () => {
    const { id } = await createTestClient(server);
    const stranger = await createTestClient(server);
    const { client, email, id: userId } = await person(server);
    const make = async (): Promise<Record<string, string>> => {
      const asked = await ask(server, id, { resource: "https://a.example/x" });
      const code = (await consent(client, asked.authorizationId)).searchParams.get("code") ?? "";
      const grant = { grant_type: "authorization_code", client_id: id };
      return { ...grant, code, code_verifier: asked.verifier };
    };
    const fields = await make();
    for (const wrong of [
      { code_verifier: "v".repeat(43) },
      { code_verifier: "" },
      { redirect_uri: "https://evil.example" },
      { resource: "https://b.example" },
      { client_id: stranger.id },
      { code: "nothing" },
    ]) {
      const { status, body } = await postToken(server, { ...fields, ...wrong });
      expect([wrong, status, body["error"]]).toEqual([
        wrong,
        400,
        wrong.code_verifier === "" ? "invalid_request" : "invalid_grant",
      ]);
    }
    expect((await postToken(server, fields)).status).toBe(200);
    const old = await make();
    server.advance(301_000);
    expect((await postToken(server, old)).body["error"]).toBe("invalid_grant");
    const left = await make();
    await client.auth.signOut({ scope: "local" });
    expect((await postToken(server, left)).body["error"]).toBe("invalid_grant");
    await client.auth.signInWithPassword({ email, password: PASSWORD });
    const banned = await make();
    await server.admin().auth.admin.updateUserById(userId, { ban_duration: "1h" });
    expect((await postToken(server, banned)).body["error"]).toBe("invalid_grant");
  });

  test("a confidential client proves itself by its secret, a public one has none; an unknown one and a wrong secret are one response", async () => {
    const basic = await createTestClient(server, {
      token_endpoint_auth_method: "client_secret_basic",
    });
    const post = await createTestClient(server, {
      token_endpoint_auth_method: "client_secret_post",
    });
    const open = await createTestClient(server);
    const header = (id: string, secret = ""): Record<string, string> => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
    });
    const grant = { grant_type: "refresh_token", refresh_token: "nothing" };
    const accepted = "invalid_grant";
    const refused = "invalid_client";
    const cases: readonly (readonly [object, object, string])[] = [
      [{}, header(basic.id, basic.secret), accepted],
      [{ client_id: post.id, client_secret: post.secret }, {}, accepted],
      [{ client_id: open.id }, {}, accepted],
      [{ client_id: basic.id, client_secret: basic.secret }, {}, accepted],
      [{}, header(post.id, post.secret), accepted],
      [{ client_id: basic.id, client_secret: post.secret }, {}, refused],
      [{}, header(basic.id, "wrong"), refused],
      [{}, header(open.id), refused],
      [{}, header(crypto.randomUUID(), "wrong"), refused],
      [{ client_id: basic.id }, {}, refused],
      [{ client_id: "nobody" }, {}, refused],
      [{ client_id: open.id, client_secret: "x" }, {}, refused],
      [{}, { authorization: "Basic %%%" }, refused],
      [{ client_secret: basic.secret }, header(basic.id, basic.secret), "invalid_request"],
      [{ client_id: open.id }, header(basic.id, basic.secret), "invalid_request"],
      [{}, {}, "invalid_request"],
    ];
    for (const [fields, headers, code] of cases) {
      const answer = await postToken(server, { ...grant, ...fields }, { ...headers });
      const asked = Object.hasOwn(headers, "authorization") && code === refused;
      expect([fields, headers, answer.body["error"], answer.status]).toEqual([
        fields,
        headers,
        code,
        asked ? 401 : 400,
      ]);
      expect(answer.headers.has("www-authenticate")).toBe(asked);
    }
    const wrong = await postToken(server, grant, header(basic.id, "wrong"));
    const nobody = await postToken(server, grant, header(crypto.randomUUID(), "wrong"));
    expect(wrong.body).toEqual(nobody.body);
    const fresh = await server.admin().auth.admin.oauth.regenerateClientSecret(basic.id);
    expect((await postToken(server, grant, header(basic.id, basic.secret))).status).toBe(401);
    const now = await postToken(server, grant, header(basic.id, fresh.data?.client_secret));
    expect(now.body["error"]).toBe(accepted);
  });

  test("AUTH-35 an error has the form of RFC 6749 for any request", async () => {
    const { id } = await createTestClient(server, { grant_types: ["authorization_code"] });
    const form = "application/x-www-form-urlencoded";
    const json = "application/json";
    const cases: readonly (readonly [string, string, number, string])[] = [
      [form, "", 400, "invalid_request"],
      [form, "grant_type=%00", 400, "invalid_request"],
      [form, "&&&==%%%", 400, "invalid_request"],
      [form, `grant_type=password&client_id=${id}`, 400, "unsupported_grant_type"],
      [form, `grant_type=refresh_token&client_id=${id}`, 400, "unauthorized_client"],
      [form, `grant_type=authorization_code&client_id=${id}`, 400, "invalid_request"],
      [json, "{", 400, "invalid_request"],
      [json, "[]", 400, "invalid_request"],
      [json, '{"__proto__":{}}', 400, "invalid_request"],
      [json, '{"grant_type":{"a":1}}', 400, "invalid_request"],
      [json, `{"grant_type":"password","client_id":"${id}"}`, 400, "unsupported_grant_type"],
      ["text/plain", "grant_type=refresh_token", 400, "invalid_request"],
      [form, `x=${"y".repeat(600_000)}`, 413, "invalid_request"],
    ];
    for (const [type, body, status, code] of cases) {
      const response = await server.call("/oauth/token", {
        method: "POST",
        body,
        headers: { "content-type": type },
      });
      expect([body.slice(0, 60), response.status, await response.json()]).toEqual([
        body.slice(0, 60),
        status,
        { error: code, error_description: expect.any(String) },
      ]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });
});

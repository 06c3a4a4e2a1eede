import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { ROUTES } from "../routes.ts";

let server: AuthServer;

beforeAll(async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  server = await startAuthServer({
    env: {
      GOTRUE_OAUTH_SERVER_ENABLED: "true",
      GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: "/consent",
      GOTRUE_SAML_ENABLED: "true",
      GOTRUE_SAML_PRIVATE_KEY: String(privateKey.export({ type: "pkcs8", format: "pem" })),
    },
  });
});

afterAll(() => server.close());

/** Sends a request with the service key; returns its status and the code of its error. */
async function codeOf(
  method: string,
  path: string,
): Promise<readonly [status: number, code: unknown]> {
  const response = await server.call(path, {
    method,
    headers: { authorization: `Bearer ${server.serviceKey}` },
    ...(method === "GET" ? {} : { body: "{}" }),
  });
  const json = (await response.json()) as Record<string, unknown>;
  return [response.status, json["error_code"]];
}

test("AUTH-35 an id with a null character in the path of any route is no 5xx", async () => {
  const routes = ROUTES.filter(({ path }) => path.includes(":"));
  expect(routes.length).toBeGreaterThan(15);
  const wrong: unknown[] = [];
  for (const { method, path } of routes)
    for (const text of ["%00", "a%00b"]) {
      const [status, code] = await codeOf(method, path.replaceAll(/:\w+/g, text));
      if (status < 400 || status > 499) wrong.push([method, path, status, code]);
    }
  expect(wrong).toEqual([]);
  expect(await codeOf("GET", "/admin/oauth/clients/%00")).toEqual([400, "validation_failed"]);
});

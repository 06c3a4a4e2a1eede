import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { samlPrivateKey } from "../../../testing/auth/saml-idp.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { ROUTES } from "../routes.ts";

const KB = 1024;

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer({
    still: true,
    env: { GOTRUE_SAML_ENABLED: "true", GOTRUE_SAML_PRIVATE_KEY: samlPrivateKey() },
  });
});

afterAll(() => server.close());

/** Returns the status of a response to a request that announces the length of its body and sends nothing of it. */
function announce(path: string, length: number, method = "POST", ip = "10.9.9.9"): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}/auth/v1${path}`, {
      method,
      agent: false,
      headers: {
        "content-type": "application/json",
        "content-length": length,
        "x-test-address": ip,
      },
    });
    sent.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      sent.destroy();
    });
    sent.on("error", reject);
    sent.flushHeaders();
  });
}

test("AUTH-35 every route refuses a body over 64 KB before it is sent, those of SAML over 192 and 512 KB", async () => {
  const more = new Map([
    ["POST /sso/saml/acs", 192],
    ["POST /admin/sso/providers", 512],
    ["PUT /admin/sso/providers/:idp_id", 512],
  ]);
  let routes = 0;
  for (const { method, path } of ROUTES) {
    if (method === "GET") continue;
    const bytes = (more.get(`${method} ${path}`) ?? 64) * KB;
    const real = path.replaceAll(/:\w+/g, "5e1c0c2e-0a5c-4d3a-9f3d-0f0e0d0c0b0a");
    const ip = `10.8.0.${++routes}`;
    expect([method, path, await announce(real, bytes + 1, method, ip)]).toEqual([
      method,
      path,
      413,
    ]);
  }
  expect(routes).toBeGreaterThan(40);
});

test("AUTH-35 a request over a rate limit is refused before its body is sent", async () => {
  for (const [path, limit] of [
    ["/otp", 30],
    ["/signup", 30],
    ["/verify", 30],
    ["/token?grant_type=password", 150],
    ["/sso/saml/acs", 15],
    ["/oauth/token", 150],
  ] as const) {
    for (let count = 0; count < limit; count++)
      await server.call(path, {
        method: "POST",
        body: "{",
        headers: { "content-type": "application/json", "x-test-address": "10.7.0.1" },
      });
    expect([path, await announce(path, 1_000, "POST", "10.7.0.1")]).toEqual([path, 429]);
  }
});

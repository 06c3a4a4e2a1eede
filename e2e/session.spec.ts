/** Tests the session of the auth API in the page: stored in the browser, renewed, and sent with the page's requests. */

import { expect, test } from "./fixtures.ts";

interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_at: number;
  readonly user: { readonly id: string };
}

const STORED = "sb-127-auth-token";

/** Signs up at the auth API, as an application of the same origin would. */
async function signUp(url: string): Promise<Session> {
  const config = (await (await fetch(`${url}/config.json`)).json()) as { supabaseAnonKey: string };
  const answer = await fetch(`${url}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: config.supabaseAnonKey, "content-type": "application/json" },
    body: JSON.stringify({ email: "ann@example.org", password: "correct horse battery" }),
  });
  return (await answer.json()) as Session;
}

test.describe("with accounts that need no mail", () => {
  test.use({ serverEnv: { GOTRUE_MAILER_AUTOCONFIRM: "true" }, ownServer: true });

  test("SRV-85 a session that the browser keeps is used, and renewed before it expires", async ({
    product,
    visit,
  }) => {
    const session = await signUp(product.url);
    const soon = Math.round(Date.now() / 1000) + 20;
    const tokens = new Set<string>();
    const renewals: string[] = [];
    const { page } = await visit({
      prepare: async (page) => {
        await page.addInitScript(
          ([name, value]) => localStorage.getItem(name) ?? localStorage.setItem(name, value),
          [STORED, JSON.stringify({ ...session, expires_at: soon })] as const,
        );
        page.on("request", (request) => {
          if (request.url().includes("/rest/v1/"))
            tokens.add(request.headers()["authorization"] ?? "");
          if (request.url().includes("/auth/v1/token")) renewals.push(request.url());
        });
      },
    });
    await expect.poll(() => renewals.length).toBe(1);
    const storedSession = async (): Promise<Session> =>
      JSON.parse(await page.evaluate((name) => localStorage.getItem(name) ?? "null", STORED));
    await expect.poll(async () => (await storedSession()).expires_at).toBeGreaterThan(soon + 60);
    const { access_token: token, user } = await storedSession();
    expect(user.id).toBe(session.user.id);
    expect([...tokens]).toEqual([`Bearer ${token}`]);
  });
});

test("SRV-85 without a session the code of the auth API is not fetched", async ({ visit }) => {
  const asked: string[] = [];
  await visit({
    prepare: (page) => void page.on("request", (request) => asked.push(request.url())),
  });
  expect(asked.filter((url) => url.includes("/assets/")).length).toBeGreaterThan(3);
  expect(asked.filter((url) => /vendor-session|\/auth\/v1\//.test(url))).toEqual([]);
});

import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { setUp } from "../scripts/build/setup.mjs";
import { hasProxy, startProxy, type Proxy, type ProxyProgram } from "../testing/servers/proxies.ts";
import { startServer, type TestServer } from "../testing/servers/server.ts";
import { withoutBasePath } from "./http/base-path.ts";

const PATH = "/board";

let server: TestServer;
const proxies: Proxy[] = [];

beforeAll(async () => {
  // The served page is the built one.
  await setUp((line) => console.log(line), ["web"]);
  // With a slash at its end the path is the same.
  server = await startServer({ env: { BASE_PATH: `${PATH}/`, GOTRUE_MAILER_AUTOCONFIRM: "true" } });
  // A busy machine takes its time to build a page and to compile a server.
}, 120_000);

afterAll(async () => {
  for (const proxy of proxies) await proxy.stop();
  await server.stop();
});

/** Returns the origin that a browser asks: the server itself, or a proxy before it. */
async function originOf(program: ProxyProgram | null, strips: boolean): Promise<string> {
  if (program === null) return server.url;
  const proxy = await startProxy(program, { to: server.port, path: PATH, strips });
  proxies.push(proxy);
  return proxy.origin;
}

/** Returns the addresses of index.html that a browser fetches. */
function addressesOf(html: string): readonly string[] {
  return [...html.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)].map(
    ([, address = ""]) => address,
  );
}

for (const [name, program, strips] of [
  ["without a proxy", null, false],
  ["behind nginx, which leaves the path", "nginx", false],
  ["behind nginx, which strips it", "nginx", true],
  ["behind HAProxy, which leaves the path", "haproxy", false],
  ["behind HAProxy, which strips it", "haproxy", true],
] as const)
  describe.skipIf(program !== null && !hasProxy(program))(name, () => {
    let base: string;
    beforeAll(async () => {
      base = (await originOf(program, strips)) + PATH;
    });

    test(`SRV-87 ${name} the page, its files and the 404 page are below BASE_PATH, with and without a slash at its end`, async () => {
      for (const [address, status] of [
        [base, 200],
        [`${base}/`, 200],
        [`${base}/?lang=de`, 200],
        [`${base}/nowhere/deep`, 404],
      ] as const) {
        const page = await fetch(address, { headers: { accept: "text/html" } });
        expect([address, page.status]).toEqual([address, status]);
        const html = await page.text();
        expect(html).toContain(`<meta name="base-path" content="${PATH}/" />`);
        const files = addressesOf(html);
        expect(files.length).toBeGreaterThan(5);
        for (const file of files) {
          expect(file).toMatch(/^\/board\//);
          expect([file, (await fetch(new URL(file, base))).status]).toEqual([file, 200]);
        }
      }
      // The service worker serves what is below the slash, so that a start without a network needs it.
      if (!strips) {
        const bare = await fetch(`${base}?lang=de`, { redirect: "manual" });
        const to = bare.headers.get("location");
        expect([bare.status, to]).toEqual([301, `${PATH}/?lang=de`]);
      }
      const manifest = await (await fetch(`${base}/manifest.webmanifest`)).json();
      expect(manifest).toMatchObject({ id: "/board/", start_url: "/board/", scope: "/board/" });
      for (const path of ["/sw.js", "/healthz", "/readyz"])
        expect([path, (await fetch(base + path)).status]).toEqual([path, 200]);
    });

    test(`SRV-87 ${name} the configuration names BASE_PATH, and the client library finds every API there`, async () => {
      const config = await (await fetch(`${base}/config.json`)).json();
      expect(config).toMatchObject({ supabaseUrl: base });
      // Node.js 20 has no WebSocket of its own.
      const transport = WebSocket as unknown as typeof globalThis.WebSocket;
      const client = createClient(base, server.anonKey, { realtime: { transport } });
      expect((await client.from("canvas_state").select("id").limit(1)).error).toBeNull();
      const email = `${name.replace(/\W/g, "")}@example.org`;
      const { data } = await client.auth.signUp({ email, password: "correct horse" });
      // Links and tokens of the auth API name the address where the server itself listens, unless a setting gives
      // another one.
      const [, claims = ""] = data.session?.access_token.split(".") ?? [];
      expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
        iss: `${server.url}${PATH}/auth/v1`,
      });
      const channel = client.channel("canvas-room");
      const status = await new Promise((resolve) => channel.subscribe(resolve));
      expect(status).toBe("SUBSCRIBED");
      await client.removeAllChannels();
    });
  });

test("SRV-87 only a whole part of an address is the base path", () => {
  const cases = ["/board", "/board/", "/board?a=1", "/board/x", "/boards", "/x/board", "/"];
  expect(cases.map((url) => withoutBasePath(url, PATH))).toEqual([
    ...["/", "/", "/?a=1", "/x", "/boards", "/x/board", "/"],
  ]);
});

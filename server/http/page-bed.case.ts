/** A server of page files that are made for a test. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { createLogger } from "../process/log.ts";
import { createMetrics } from "../process/metrics.ts";
import { parseSettings } from "../settings/settings.ts";
import { registerConfig } from "./config.ts";
import { createHttp } from "./create.ts";
import { registerPage } from "./page.ts";

export const SCRIPT = "console.log('hello');\n".repeat(100);
const HEAD =
  '<title>Inkpool</title><meta property="og:title" content="Inkpool" /><meta property="og:image" content="/social.png" />';

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Get = (path: string, headers?: Record<string, string>, method?: string) => Promise<Got>;

/** Makes the files of a page in a folder of its own, which `close` removes. */
export function makePage() {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-web-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><html><head>${HEAD}</head><body></body></html>`,
  );
  writeFileSync(join(folder, "sw.js"), "addEventListener('fetch', () => {});");
  writeFileSync(join(folder, "manifest.webmanifest"), '{"name":"Inkpool","start_url":"/"}');
  writeFileSync(join(folder, "favicon.svg"), "<svg/>");
  writeFileSync(join(folder, "assets/main-abc123.js"), SCRIPT);
  writeFileSync(join(folder, "assets/main-abc123.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "assets/main-abc123.js.gz"), gzipSync(SCRIPT));

  const apps: FastifyInstance[] = [];
  async function serve(env: Record<string, string> = {}): Promise<Get & { port: number }> {
    const parsed = parseSettings(env, "/");
    if (!parsed.ok) throw new Error(parsed.problems.join());
    const app = createHttp(
      parsed.settings,
      createLogger("error", () => {}, Date.now),
      createMetrics(),
    );
    const page = await registerPage(app, parsed.settings, folder);
    registerConfig(app, parsed.settings, "the-anon-key");
    app.get("/address", async (got) => got.ip);
    app.post("/echo", async (got) => got.body);
    app.setNotFoundHandler((got, reply) => page.notFound(got, reply));
    apps.push(app);
    const host = "127.0.0.1";
    await app.listen({ port: 0, host });
    const { port } = app.server.address() as AddressInfo;
    const get: Get = (path, headers = {}, method = "GET") =>
      new Promise((resolve, reject) => {
        const sent = request({ host, port, path, method, headers, agent: false }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("end", () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: Buffer.concat(chunks),
            }),
          );
        });
        sent.once("error", reject).end();
      });
    return Object.assign(get, { port });
  }

  return {
    folder,
    serve,
    close: async (): Promise<void> => {
      await Promise.all(apps.map((app) => app.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The files of the built page, as `@fastify/static` sends them: a build has compressed them already. */

import { join } from "node:path";
import fastifyStatic, { type FastifyStaticOptions } from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { PAGE_HEADERS } from "./security.ts";

/** Best first. */
const CODINGS = ["br", "gzip"] as const;

export type Coding = (typeof CODINGS)[number];

/** The codings that an Accept-Encoding header allows (RFC 9110, section 12.5.3), best first. */
export function acceptedCodings(header: string | undefined): readonly Coding[] {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  return CODINGS.filter((coding) => (weights.get(coding) ?? weights.get("*") ?? 0) > 0);
}

/** Names under /assets contain a hash of the content, so that a file never changes. */
const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATED = "no-cache";

/** Other forms of a file have no path of their own. */
const NOT_SERVED = "**/*.{br,gz,map}";

/** A path below /assets: names that do not begin with a dot, and no compressed forms. */
const ASSET_PATH = /^(?:\/[\w-][\w.-]*)+(?<!\.(?:br|gz))$/;

/**
 * Serves the files of a folder, all but index.html and those at the root that are ignored. Those under /assets are looked up on the disk, so that a
 * new build is served without a restart. Each other file has a route of its own: a wildcard at the root
 * would match before the handlers that the APIs have for unknown paths.
 */
export async function registerFiles(
  app: FastifyInstance,
  webDir: string,
  ignored: readonly string[],
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook("onRequest", async ({ headers }) => {
      // The plugin takes `*` for gzip, and has no file for deflate.
      headers["accept-encoding"] = acceptedCodings(headers["accept-encoding"]).join();
    });
    scope.addHook("onSend", async (_request, reply) => {
      // RFC 9239: the plugin's table of types has the old name.
      const type = reply.getHeader("content-type");
      if (typeof type === "string" && type.startsWith("application/javascript"))
        reply.header("content-type", "text/javascript; charset=utf-8");
    });
    await scope.register(fastifyStatic, {
      ...options(IMMUTABLE),
      root: join(webDir, "assets"),
      prefix: "/assets/",
      allowedPath: (path) => ASSET_PATH.test(path),
    });
    await scope.register(fastifyStatic, {
      ...options(REVALIDATED),
      root: webDir,
      wildcard: false,
      globIgnore: ["index.html", "assets/**", NOT_SERVED, ...ignored],
    });
  });
}

/** What both folders have in common. Validation is by ETag alone. */
function options(cacheControl: string): Omit<FastifyStaticOptions, "root"> {
  return {
    decorateReply: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    acceptRanges: false,
    lastModified: false,
    setHeaders: (response) => {
      for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
      response.setHeader("cache-control", cacheControl);
      response.setHeader("vary", "accept-encoding");
    },
  };
}

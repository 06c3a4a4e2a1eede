/** Allows the backend's APIs from any origin, like those of a Supabase project: keys and tokens decide, not cookies. */

import type { FastifyInstance } from "fastify";

/**
 * Matches the APIs of a Supabase project. Those for files and functions do not exist here, and other origins may read
 * that as well.
 */
const API_PATH = /^\/(?:rest|auth|realtime|storage|functions)\/v1(?:\/|\?|$)/;

const ALLOWED_HEADERS = [
  "accept",
  "accept-profile",
  "apikey",
  "authorization",
  "content-profile",
  "content-type",
  "prefer",
  "range",
  "range-unit",
  "x-client-info",
  "x-retry-count",
  "x-supabase-api-version",
];

/** Matches a header's name (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

const EXPOSED_HEADERS =
  "Content-Range, Content-Location, Location, Preference-Applied, Retry-After, X-Sb-Error-Code, X-Supabase-Api-Version, X-Total-Count, Link";

const METHODS = "GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS";

/** Seconds for which a preflight is valid, one day; browsers may use less. */
const PREFLIGHT_AGE = "86400";

export function registerCors(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply): Promise<unknown> => {
    if (!API_PATH.test(request.url)) return undefined;
    reply.header("access-control-allow-origin", "*");
    reply.header("access-control-expose-headers", EXPOSED_HEADERS);
    if (request.method !== "OPTIONS") return undefined;
    return reply
      .headers({
        "access-control-allow-methods": METHODS,
        "access-control-allow-headers": allowedHeaders(
          request.headers["access-control-request-headers"],
        ),
        "access-control-max-age": PREFLIGHT_AGE,
        vary: "access-control-request-headers",
      })
      .code(204)
      .send();
  });
}

/** Returns the headers of the client library, and those that a preflight asks for: those of traces, and an application's own. */
function allowedHeaders(requested = ""): string {
  const names = requested
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => HEADER_NAME.test(name));
  return [...new Set([...ALLOWED_HEADERS, ...names])].join(", ");
}

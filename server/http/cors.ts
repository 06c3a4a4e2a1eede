/** The backend's APIs may be used from any origin, as a Supabase project's may: keys and tokens decide, not cookies. */

import type { FastifyInstance } from "fastify";

/** The APIs of a Supabase project. There is none for files and functions here, which other origins may read as well. */
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

/** A header's name (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

const EXPOSED_HEADERS =
  "Content-Range, Content-Location, Location, Preference-Applied, Retry-After, X-Sb-Error-Code, X-Supabase-Api-Version, X-Total-Count, Link";

const METHODS = "GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS";

/** One day, in seconds; browsers may take less. */
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

/** The headers of the client library, and those that a preflight asks for: those of traces, and an application's own. */
function allowedHeaders(requested = ""): string {
  const names = requested
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => HEADER_NAME.test(name));
  return [...new Set([...ALLOWED_HEADERS, ...names])].join(", ");
}

/** Exchanges a link's secret for a token, and makes new links. */

import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isRecord } from "../../board/json.ts";
import { isClientId } from "../../board/messages.ts";
import { NAME_LENGTH } from "../../board/presence.ts";
import { clientKey } from "../limits/client-key.ts";
import { createKeyedBuckets, type Rate } from "../limits/token-bucket.ts";
import type { KeyRing } from "../keys/port.ts";
import type { Database } from "../storage/port.ts";
import { LINK_CLAIM, ROLE_CLAIM } from "./access.ts";
import { linksOf, readLinks, renewLinks, roleOfSecret } from "./links.ts";
import type { BoardRole, HostAccess, StoredLinks } from "./port.ts";

/** Seconds for which a token is valid. */
const TOKEN_SECONDS = 15 * 60;

/** The rate of wrong secrets of one client key. A class behind one address exchanges right ones. */
const FAILURES: Rate = { perSecond: 1 / 6, burst: 20 };
const CALLS: Rate = { perSecond: 10, burst: 600 };

/** Greatest number of bytes of a body: a secret has 43 characters. */
const BODY = 1024;

export interface AccessDeps {
  readonly access: HostAccess;
  readonly keys: KeyRing;
  readonly database: Database;
  readonly settings: { readonly trustProxy: number };
  /** The time in milliseconds since 1970. */
  readonly clock: () => number;
}

const VOID = { code: "link_void", message: "This link is no longer valid" };
const HOSTS_ONLY = { code: "42501", message: "Only a host makes new links" };

export function registerAccess(app: FastifyInstance, deps: AccessDeps): void {
  const { access, keys, database, clock } = deps;
  const { trustProxy } = deps.settings;
  const failures = createKeyedBuckets({ rate: FAILURES, clock });
  const calls = createKeyedBuckets({ rate: CALLS, clock });

  /** Returns the milliseconds until this client may call again. */
  const wait = (request: FastifyRequest): number => {
    const client = clientKey(request.raw, trustProxy);
    return Math.max(calls.take(client), failures.wait(client));
  };
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    reply.header("cache-control", "no-store");
    const ms = wait(request);
    return ms > 0 ? sendTooMany(reply, ms) : undefined;
  };
  const options = { bodyLimit: BODY, onRequest: admit };

  app.post("/host/v1/token", options, async (request, reply) => {
    const secret = secretOf(request.body);
    const links = await readLinks(database);
    const client = clientKey(request.raw, trustProxy);
    // Requests that were admitted meanwhile may have used up the guesses.
    const before = failures.wait(client);
    if (before > 0) return sendTooMany(reply, before);
    const role = links === null || secret === null ? null : roleOfSecret(links, secret);
    if (links === null || role === null) {
      const ms = failures.take(client);
      return ms > 0 ? sendTooMany(reply, ms) : reply.code(401).send(VOID);
    }
    // Another process may have just renewed the links: the token belongs to those that were read last.
    if (links.version !== access.links?.version) await access.refresh();
    return reply.send(await answer(deps, links, role));
  });

  app.post("/host/v1/pauses", options, async (request, reply) => {
    const checked = await keys.check(bearerOf(request));
    if (!checked.ok) return reply.code(401).send({ ...VOID, message: "Unauthorized" });
    const { pauses } = access;
    if (access.roleOf(checked.claims) !== "host")
      return reply.code(403).send({ ...HOSTS_ONLY, message: "Only a host pauses visitors" });
    const wanted = parsePauseRequest(request.body);
    if (wanted === null) return reply.code(400).send(NO_PAUSE);
    if (wanted.begin !== null) await pauses.begin(wanted.begin, wanted.name, wanted.address);
    if (wanted.end !== null) await pauses.end(wanted.end);
    return reply.send({ pauses: pauses.list() });
  });

  app.post("/host/v1/links", options, async (request, reply) => {
    const checked = await keys.check(bearerOf(request));
    if (!checked.ok) return reply.code(401).send({ ...VOID, message: "Unauthorized" });
    if (access.roleOf(checked.claims) !== "host") return reply.code(403).send(HOSTS_ONLY);
    const links = await renewLinks(database, access.key);
    await access.refresh();
    const row = await readLinks(database);
    const isOurs = row !== null && roleOfSecret(row, links.host) === "host";
    // Another host has renewed the links first.
    if (!isOurs) return reply.code(409).send(VOID);
    return reply.send({ ...(await answer(deps, row, "host")), host: links.host });
  });
}

const NO_PAUSE = { code: "pause_malformed", message: "begin or end names a visitor's page" };

/** Parses the request; null for one that names no valid page. A request without any page asks for the list. */
function parsePauseRequest(body: unknown) {
  if (!isRecord(body)) return null;
  const { begin = null, end = null, name = "", address = false } = body;
  const isPage = (page: unknown): page is string | null =>
    page === null || (typeof page === "string" && isClientId(page));
  if (!isPage(begin) || !isPage(end)) return null;
  return {
    begin,
    end,
    name: typeof name === "string" ? name.slice(0, NAME_LENGTH) : "",
    address: address === true,
  };
}

/** Returns a token of the role, and for a host the drawing link's secret as well, as long as it can be derived. */
async function answer(deps: AccessDeps, links: StoredLinks, role: BoardRole): Promise<object> {
  const now = Math.floor(deps.clock() / 1000);
  const token = await deps.keys.sign({
    iss: "inkpool",
    // This is nobody's id: a token without one would count as an API key.
    sub: randomUUID(),
    role: "anon",
    [ROLE_CLAIM]: role,
    [LINK_CLAIM]: links.version,
    iat: now,
    exp: now + TOKEN_SECONDS,
  });
  const secrets = role === "host" ? linksOf(links, deps.access.key) : null;
  const draw = secrets === null ? {} : { draw: secrets.draw };
  return { access_token: token, expires_in: TOKEN_SECONDS, role, ...draw };
}

function secretOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null || !("secret" in body)) return null;
  return typeof body.secret === "string" ? body.secret : null;
}

function bearerOf({ headers }: FastifyRequest): string {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

function sendTooMany(reply: FastifyReply, ms: number): FastifyReply {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return reply
    .code(429)
    .header("retry-after", String(seconds))
    .send({
      code: "over_request_rate_limit",
      message: `Too many requests, try again in ${seconds} s`,
    });
}

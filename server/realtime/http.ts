/** The routes for broadcasts over HTTP. */

import { isUtf8 } from "node:buffer";
import { finished, pipeline, Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LIMITS } from "../../board/constants.ts";
import type { BoardAccess, Drawer, Newcomers } from "../access/port.ts";
import type { Claims, KeyRing } from "../keys/port.ts";
import { deviceOf } from "../limits/device.ts";
import { clientKey } from "../limits/client-key.ts";
import { createReceptions } from "../limits/receptions.ts";
import { createKeyedBuckets } from "../limits/token-bucket.ts";
import { mayEnter } from "./connection/credential.ts";
import { TOPIC_PREFIX } from "./connection/dispatch.ts";
import { REPLY_FAULTS, payloadReason } from "./payloads/faults.ts";
import { WEBSOCKET_PATH } from "./connection/handshake.ts";
import { mayAdd, refusedEvent } from "./topic/drawing-guard.ts";
import { topicKey, type Hub } from "./topic/hub.ts";
import type { Limits } from "./settings/limits.ts";
import { isJson } from "./payloads/json-scan.ts";
import { isEventName } from "./payloads/broadcast.ts";
import { isTopicName, parsePosted } from "./payloads/http-broadcast.ts";
import { accessToken } from "./payloads/join.ts";

interface HttpEnvironment {
  readonly hub: Hub;
  readonly keys: KeyRing;
  readonly access: BoardAccess;
  readonly newcomers: Newcomers | null;
  readonly limits: Limits;
  readonly clock: () => number;
  /** The value of TRUST_PROXY. */
  readonly trustProxy: number;
}

/** The destination of a broadcast. */
interface Destination {
  /** The topic without `realtime:`. */
  readonly topic: string;
  readonly event: string;
  readonly private: boolean;
}

interface Content {
  readonly encoding: 0 | 1;
  readonly payload: Buffer;
}

const TOO_MANY = "Too many requests";
const PATH = "/realtime/v1/api/broadcast";
const JSON_TYPE = "application/json";
const BINARY_TYPE = "application/octet-stream";
/** Bytes for the names around the payloads of a list. */
const BODY_MARGIN = 65_536;
/**
 * Limits of bodies that arrive at the same time: large ones have at least `from` bytes, and the bytes of smaller ones
 * are limited in sum.
 */
const LARGE = { from: 1_048_576, perClient: 4, inAll: 16 } as const;
const SMALL = { perClient: 16 * 1_048_576, inAll: 64 * 1_048_576 } as const;

/** Registers the routes on `app`, which must be a scope of its own: it gets body parsers that keep the bytes. */
export function registerBroadcastRoutes(app: FastifyInstance, environment: HttpEnvironment): void {
  const { payloadBytes, frameBytes } = environment.limits;
  const bodyLimit = payloadBytes < LIMITS.canvasBytes ? payloadBytes + BODY_MARGIN : frameBytes;
  keepBodies(app);
  const { admit, hasBytes } = createAdmission(environment);
  limitBodies(app, environment.trustProxy);

  app.post(PATH, { bodyLimit, onRequest: admit }, async (request, reply) => {
    const body = bodyOf(request);
    if (!hasBytes(request, body)) return sendTooMany(reply);
    if (!isJsonType(request)) return reply.code(415).send({ message: ERRORS.get(415) });
    // Nothing is read of a body that could not consist of one drawing.
    if (body.length > payloadBytes + BODY_MARGIN)
      return reply.code(422).send({ errors: { messages: [payloadReason(body.length)] } });
    const parsed = parsePosted(isUtf8(body) ? body : Buffer.alloc(0), payloadBytes);
    if (!parsed.ok) return reply.code(422).send({ errors: parsed.errors });
    const events = parsed.messages.map(({ event }) => event);
    const refused = refusedOf(environment, request, events);
    if (refused !== null) return reply.code(403).send({ message: refused });
    const results = parsed.messages.map((message) =>
      broadcast(environment, request, message, { encoding: 1, payload: message.payload }),
    );
    return sendResult(reply, results);
  });

  // They are not parameters of the route, whose length Fastify limits to 100 characters by default.
  app.post(`${PATH}/*`, { bodyLimit, onRequest: admit }, async (request, reply) => {
    const destination = parsePath(request.raw.url ?? "");
    if (destination === null) return reply.code(404).send({ message: "Not Found" });
    const payload = bodyOf(request);
    if (!hasBytes(request, payload)) return sendTooMany(reply);
    const content: Content = { encoding: isJsonType(request) ? 1 : 0, payload };
    const errors = faultsOf(destination, content, payloadBytes);
    if (Object.keys(errors).length > 0) return reply.code(422).send({ errors });
    const refused = refusedOf(environment, request, [destination.event]);
    if (refused !== null) return reply.code(403).send({ message: refused });
    return sendResult(reply, [broadcast(environment, request, destination, content)]);
  });

  app.get(WEBSOCKET_PATH, async (_request, reply) =>
    reply
      .code(426)
      .header("upgrade", "websocket")
      .send({ error: "Expected a WebSocket handshake" }),
  );
}

/** Keeps bodies as bytes, and gives each fault of a body a message with its status. */
function keepBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    [JSON_TYPE, BINARY_TYPE],
    { parseAs: "buffer" },
    (_request, body, done) => done(null, body),
  );
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) throw error;
    return reply.code(status).send({ message: ERRORS.get(status) ?? "Bad Request" });
  });
}

/** Counts bodies by their received bytes; a few large ones are received at a time. */
function limitBodies(app: FastifyInstance, trustProxy: number): void {
  const receptions = createReceptions({ large: LARGE, small: SMALL, now: () => performance.now() });
  app.addHook("preParsing", async (request, reply, body) => {
    const counting = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        if (reception.arrived(chunk.length)) done(null, chunk);
        else done(tooMany());
      },
      flush: (done) => {
        reception.complete();
        done();
      },
    });
    const client = clientKey(request.raw, trustProxy);
    const reception = receptions.begin(client, () => counting.destroy(tooMany()));
    // The rest of a body that no parser reads would hold up the next request of its connection.
    reply.raw.once("close", () => finished(counting.resume(), () => reception.end()));
    // The parser receives the errors of both streams.
    return pipeline(body, counting, () => {});
  });
}

const tooMany = (): Error =>
  Object.assign(new Error("too many bodies at once"), { statusCode: 429 });

interface Admission {
  /** Checks the rate and the key before the body is received; responds with 429 or 401 itself. */
  readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** Counts the bytes of a received body. */
  readonly hasBytes: (request: FastifyRequest, body: Buffer) => boolean;
}

const callers = new WeakMap<FastifyRequest, Claims>();

function claimsOf(request: FastifyRequest): Claims {
  const claims = callers.get(request);
  if (claims === undefined) throw new Error("The caller was not checked");
  return claims;
}

function drawerOf(request: FastifyRequest, trustProxy: number): Drawer {
  const { raw } = request;
  return { client: clientKey(raw, trustProxy), device: deviceOf(raw), claims: claimsOf(request) };
}

function createAdmission({ limits, keys, clock, trustProxy }: HttpEnvironment): Admission {
  const rate = { perSecond: limits.postPerSecond, burst: limits.postBurst };
  const posts = createKeyedBuckets({ rate, clock });
  const bytes = createKeyedBuckets({
    rate: { perSecond: limits.bytesPerSecond, burst: limits.bytesBurst },
    clock,
  });
  return {
    admit: async (request, reply) => {
      if (posts.take(clientKey(request.raw, trustProxy)) > 0) return sendTooMany(reply);
      const checked = await keys.check(tokenOf(request));
      if (!checked.ok) return reply.code(401).send({ message: "Unauthorized" });
      callers.set(request, checked.claims);
      return undefined;
    },
    hasBytes: (request, body) => bytes.take(clientKey(request.raw, trustProxy), body.length) <= 0,
  };
}

const sendTooMany = (reply: FastifyReply): FastifyReply =>
  reply.code(429).send({ message: TOO_MANY });

const bodyOf = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0);

/**
 * Returns the reason why the caller may not send one of these events now, or null. Nothing of a list with such an
 * event is sent.
 */
function refusedOf(
  { access, trustProxy }: HttpEnvironment,
  request: FastifyRequest,
  events: readonly string[],
): string | null {
  const who = drawerOf(request, trustProxy);
  return events.reduce<string | null>(
    (found, event) => found ?? refusedEvent(access, who, event),
    null,
  );
}

/**
 * Broadcasts a message. As with the hosted service, a caller who may not write to a private channel gets the same
 * response as one who may.
 * @returns The reason why it was not sent, or null
 */
function broadcast(
  { hub, newcomers, trustProxy }: HttpEnvironment,
  request: FastifyRequest,
  to: Destination,
  given: Content,
): string | null {
  const who = drawerOf(request, trustProxy);
  if (!mayEnter(to.private, who.claims)) return null;
  const key = topicKey(TOPIC_PREFIX + to.topic, to.private);
  const content = { event: to.event, checked: true, ...given };
  if (!mayAdd(newcomers, who, content)) return REPLY_FAULTS.newcomerLimit;
  return hub.post(key, content) ? null : TOO_MANY;
}

function sendResult(reply: FastifyReply, results: readonly (string | null)[]): FastifyReply {
  const refused = results.find((result) => result !== null);
  return refused === undefined
    ? reply.code(202).send()
    : reply.code(429).send({ message: refused });
}

/** Returns the faults of one posted message, by field; empty when it has none. */
function faultsOf(
  { topic, event }: Destination,
  { encoding, payload }: Content,
  payloadBytes: number,
): Readonly<Record<string, readonly string[]>> {
  return {
    ...(isTopicName(topic) ? {} : { topic: ["is invalid"] }),
    ...(isEventName(event) ? {} : { event: ["is invalid"] }),
    ...(payload.length > payloadBytes
      ? { payload: [payloadReason(payload.length)] }
      : encoding === 1 && !isJson(payload)
        ? { payload: ["is invalid"] }
        : {}),
  };
}

const ERRORS: ReadonlyMap<number, string> = new Map([
  [400, "Bad Request"],
  [413, "Payload Too Large"],
  [415, "Unsupported Media Type"],
  [429, TOO_MANY],
]);

function isJsonType(request: FastifyRequest): boolean {
  return (request.headers["content-type"] ?? "").trim().toLowerCase().startsWith(JSON_TYPE);
}

/** Returns the user's token if there is one, or else the API key. */
function tokenOf(request: FastifyRequest): string {
  const bearer = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  const key = request.headers["apikey"];
  return accessToken(bearer) ?? (typeof key === "string" ? key : "");
}

/** Parses `<topic>/events/<event>`, both encoded; null for another path or a broken encoding. */
function parsePath(url: string): Destination | null {
  const [path = "", query = ""] = url.slice(PATH.length + 1).split("?", 2);
  const [topic, events, event, ...more] = path.split("/");
  if (events !== "events" || event === undefined || more.length > 0) return null;
  try {
    return {
      topic: decodeURIComponent(topic ?? ""),
      event: decodeURIComponent(event),
      private: new URLSearchParams(query).get("private") === "true",
    };
  } catch {
    return null;
  }
}

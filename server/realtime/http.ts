/** Broadcasts over HTTP. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Claims, KeyRing } from "../keys/port.ts";
import { WEBSOCKET_PATH } from "./handshake.ts";
import { roomKey } from "./hub.ts";
import type { Hub } from "./hub.ts";
import { fullBucket, take } from "./limits.ts";
import type { Bucket, Limits, Rate } from "./limits.ts";
import { isEventName } from "./payloads/broadcast.ts";
import { isTopicName, parsePosted } from "./payloads/http-broadcast.ts";
import { accessToken } from "./payloads/join.ts";
import { TOPIC_PREFIX, mayEnter } from "./session.ts";

interface HttpWorld {
  readonly hub: Hub;
  readonly keys: KeyRing;
  readonly limits: Limits;
  readonly clock: () => number;
}

const PATH = "/realtime/v1/api/broadcast";
const JSON_TYPE = "application/json";
const BINARY_TYPE = "application/octet-stream";
/** Room for the names around the payloads of a list. */
const BODY_MARGIN = 65_536;
const FORGET_ABOVE = 10_000;

/** Registers the routes on `app`, which must be a scope of its own: it gets body parsers that keep the bytes. */
export function registerBroadcastRoutes(app: FastifyInstance, world: HttpWorld): void {
  const admit = rateByAddress(world.limits);
  const bodyLimit = world.limits.payloadBytes + BODY_MARGIN;
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

  /** Answers 401 or 429 itself, then null. */
  const authorize = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Claims | null> => {
    if (!admit(request.ip, world.clock())) {
      void reply.code(429).send({ message: "Too many requests" });
      return null;
    }
    const result = await world.keys.check(tokenOf(request));
    if (result.ok) return result.claims;
    void reply.code(401).send({ message: "Unauthorized" });
    return null;
  };

  const send = (
    claims: Claims,
    to: { topic: string; event: string; private: boolean },
    content: { encoding: 0 | 1; payload: Buffer },
  ): void => {
    // As with the hosted service: who may not write to a private channel is answered like everybody.
    if (!mayEnter(to.private, claims)) return;
    const key = roomKey(TOPIC_PREFIX + to.topic, to.private);
    world.hub.post(key, { event: to.event, checked: true, ...content });
  };

  app.post(PATH, { bodyLimit }, async (request, reply) => {
    const claims = await authorize(request, reply);
    if (claims === null) return reply;
    if (!isJsonType(request)) return reply.code(415).send({ message: ERRORS.get(415) });
    const parsed = parsePosted(parseJson(request.body), world.limits.payloadBytes);
    if (!parsed.ok) return reply.code(422).send({ errors: parsed.errors });
    for (const message of parsed.messages)
      send(claims, message, { encoding: 1, payload: message.payload });
    return reply.code(202).send();
  });

  // Not as parameters of the route: Fastify limits their length to 100 characters by default.
  app.post(`${PATH}/*`, { bodyLimit }, async (request, reply) => {
    const names = parsePath(request.raw.url ?? "");
    if (names === null) return reply.code(404).send({ message: "Not Found" });
    const claims = await authorize(request, reply);
    if (claims === null) return reply;
    const { topic, event } = names;
    const payload = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const asJson = isJsonType(request);
    const faults = {
      ...(isTopicName(topic) ? {} : { topic: ["is invalid"] }),
      ...(isEventName(event) ? {} : { event: ["is invalid"] }),
      ...(asJson && parseJson(payload) === undefined ? { payload: ["is invalid"] } : {}),
      ...(payload.length > world.limits.payloadBytes
        ? { payload: ["Payload size exceeds the limit"] }
        : {}),
    };
    if (Object.keys(faults).length > 0) return reply.code(422).send({ errors: faults });
    send(claims, names, { encoding: asJson ? 1 : 0, payload });
    return reply.code(202).send();
  });

  app.get(WEBSOCKET_PATH, async (_request, reply) =>
    reply
      .code(426)
      .header("upgrade", "websocket")
      .send({ error: "Expected a WebSocket handshake" }),
  );
}

const ERRORS: ReadonlyMap<number, string> = new Map([
  [400, "Bad Request"],
  [413, "Payload Too Large"],
  [415, "Unsupported Media Type"],
]);

function isJsonType(request: FastifyRequest): boolean {
  return (request.headers["content-type"] ?? "").trim().toLowerCase().startsWith(JSON_TYPE);
}

/** The user's token if there is one, else the key. */
function tokenOf(request: FastifyRequest): string {
  const bearer = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  const key = request.headers["apikey"];
  return accessToken(bearer) ?? (typeof key === "string" ? key : "");
}

/** `<topic>/events/<event>`, each encoded; null for another path or a broken encoding. */
function parsePath(url: string): { topic: string; event: string; private: boolean } | null {
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

/** Undefined for what is not JSON in UTF-8. */
function parseJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function rateByAddress(limits: Limits): (address: string, now: number) => boolean {
  const rate: Rate = { perSecond: limits.postPerSecond, burst: limits.postBurst };
  const buckets = new Map<string, Bucket>();
  return (address, now) => {
    let bucket = buckets.get(address);
    if (bucket === undefined) {
      if (buckets.size >= FORGET_ABOVE) forgetFull(buckets, rate, now);
      bucket = fullBucket(rate, now);
      buckets.set(address, bucket);
    }
    return take(bucket, rate, now);
  };
}

function forgetFull(buckets: Map<string, Bucket>, rate: Rate, now: number): void {
  for (const [address, bucket] of buckets) {
    take(bucket, rate, now, 0);
    if (bucket.tokens >= rate.burst) buckets.delete(address);
  }
}

/** The table API: PostgREST's protocol under /rest/v1/, over the declared tables. */

import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ServerEnvironment } from "../port.ts";
import { errorFields } from "../process/error-fields.ts";
import type { Role } from "../keys/port.ts";
import { guardBoard } from "./board-guard.ts";
import { checkRequest, readCredentials, type Caller } from "./credentials.ts";
import type { Reception } from "../limits/receptions.ts";
import { clientKey } from "../limits/client-key.ts";
import { createKeyedBuckets, type KeyedBuckets } from "../limits/token-bucket.ts";
import { DatabaseUnavailable, RETRY_AFTER, StorageFault } from "../storage/faults.ts";
import { countSave, createTableStats, isSave, type TableStats } from "./stats.ts";
import { BODY_LIMIT, DISCARD_LIMIT } from "./sql/body.ts";
import { TableFault, faults, ofStorage } from "./schema/faults.ts";
import { createLargeGate } from "./receiving/large.ts";
import { createSharedMemory, ownMemory } from "./receiving/memory.ts";
import { insert, read, remove, update, type Request, type TableResponse } from "./operations.ts";
import { parsePrefer } from "./query/prefer.ts";
import { receiveBody } from "./receiving/receive.ts";
import { parsePlan } from "./query/request.ts";
import { missingFunction } from "./query/rpc.ts";
import { ONE_OBJECT, shapeOf, typeOf } from "./response.ts";
import { SCHEMA, TABLES, type Table } from "./schema/tables.ts";
import { createTableQueues, type TableQueues } from "./queues.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The sender of the request, once the table API has checked it. */
    tableCaller: Caller | null;
    /** Begins to count the request's body; `giveWay` ends it. */
    tableBody: ((giveWay: () => void) => Reception) | null;
  }
}

interface Method {
  readonly run: (
    database: ServerEnvironment["database"],
    request: Request,
  ) => Promise<TableResponse>;
  /** The names of the preferences that the method honours. */
  readonly preferences: readonly string[];
  readonly profile: "accept-profile" | "content-profile";
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const WRITE = "content-profile";

const METHODS: Readonly<Record<string, Method>> = {
  GET: { run: read, preferences: ["count"], profile: "accept-profile" },
  HEAD: { run: read, preferences: ["count"], profile: "accept-profile" },
  POST: {
    run: insert,
    preferences: ["return", "resolution", "missing", "count"],
    profile: WRITE,
  },
  PATCH: { run: update, preferences: ["return", "count", "max-affected"], profile: WRITE },
  DELETE: { run: remove, preferences: ["return", "count", "max-affected"], profile: WRITE },
};

export async function registerTable(app: FastifyInstance, deps: ServerEnvironment): Promise<void> {
  const queues = createTableQueues(deps);
  const stats = createTableStats(() =>
    Object.values(queues).reduce((sum, { waiting }) => sum + waiting, 0),
  );
  app.decorate("tableStats", () => stats);
  await app.register(async (scope) => registerRoutes(scope, { deps, queues, stats }), {
    prefix: "/rest/v1",
  });
}

interface RoutesDependencies {
  readonly deps: ServerEnvironment;
  readonly queues: TableQueues;
  readonly stats: TableStats;
}

function registerRoutes(scope: FastifyInstance, { deps, queues, stats }: RoutesDependencies): void {
  const limit = createRequestLimit(deps);
  const large = createLargeGate();
  const memory = deps.database.dialect === "sqlite" ? createSharedMemory() : ownMemory;
  /** Runs work after which no statement reads the body any more. */
  const releasing =
    (work: Handler): Handler =>
    async (request, reply) => {
      try {
        return await work(request, reply);
      } finally {
        memory.give(request.body);
      }
    };

  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (request: FastifyRequest, stream: Readable) =>
    receiveBody(stream, {
      announced: announcedLength(request),
      limit: BODY_LIMIT,
      discardTo: DISCARD_LIMIT,
      memory,
      count: (giveWay) => countBody(request, giveWay),
      busy: faults.busy,
      tooLarge: (read) => refuseLarge(request, read),
    }),
  );
  scope.decorateRequest("tableCaller", null);
  scope.decorateRequest("tableBody", null);
  scope.addHook("onRequest", async (request, reply): Promise<unknown> => {
    const client = clientKey(request.raw, deps.settings.trustProxy);
    const wait = limit?.take(client) ?? 0;
    if (wait > 0) {
      const seconds = Math.max(1, Math.ceil(wait / 1000));
      reply.header("retry-after", String(seconds));
      throw faults.tooMany(seconds);
    }
    const credentials = readCredentials(request.headers, request.query);
    const checked = await checkRequest(deps.keys, credentials);
    if (!checked.ok) {
      const { status, body, challenge } = checked.refusal;
      return reply.code(status).header("www-authenticate", challenge).send(body);
    }
    request.tableCaller = checked.caller;
    request.tableBody = (giveWay) => large.receive(client, reply, giveWay);
    return undefined;
  });
  scope.setErrorHandler((error, request, reply) => {
    const sent = sendFault(deps, { error, request, reply });
    if (isSave(request.method, tableOf(request)))
      stats.saves[reply.statusCode < 500 ? "refused" : "failed"]++;
    return sent;
  });

  const answer: Handler = async (request, reply) => {
    const { body, touched } = await handleRequest({ deps, queues }, request, reply);
    if (touched !== undefined && isSave(request.method, tableOf(request)))
      countSave(stats, touched, bytesOf(request));
    if (body === null) return reply.send();
    const client = clientKey(request.raw, deps.settings.trustProxy);
    large.answer(client, reply.raw, body.length, deps.settings.tableReadTimeout);
    return reply.send(body);
  };
  const method = ["GET", "HEAD", "POST", "PATCH", "DELETE", "PUT"];
  scope.route({ method, url: "/:table", handler: releasing(answer), exposeHeadRoute: false });
  scope.all("/rpc/:name", releasing(refuseFunction));
  scope.setNotFoundHandler(releasing(refusePath));
}

const refuseFunction: Handler = async (request) => {
  const { name } = request.params as { name: string };
  const body = request.method === "POST" ? (request.body ?? null) : undefined;
  throw missingFunction(name, queryOf(request), body);
};

const refusePath: Handler = async () => {
  throw faults.path();
};

/** TABLE_RATE_LIMIT requests at once, and as many again in each minute; null for no limit. */
function createRequestLimit({ settings, clock }: ServerEnvironment): KeyedBuckets | null {
  const burst = settings.tableRateLimit;
  return burst === 0 ? null : createKeyedBuckets({ rate: { perSecond: burst / 60, burst }, clock });
}

/**
 * Refuses a body over `BODY_LIMIT`. Only a drawing needs as much, and one that is too large gets the same code
 * whatever its size, since the check would refuse it.
 */
function refuseLarge({ method, params }: FastifyRequest, read: boolean): TableFault {
  const table = TABLES.get((params as { table?: string }).table ?? "");
  const writes = method === "POST" || method === "PATCH";
  if (!read || !writes || table?.sizeCheck === undefined) return faults.tooLarge(BODY_LIMIT);
  return faults.tooLargeRow(table.name, table.sizeCheck);
}

function announcedLength({ headers }: FastifyRequest): number | null {
  const announced = headers["content-length"];
  return announced === undefined ? null : Number(announced);
}

/** Sets status and headers of the response. Returns its body, null for none, and the number of rows that a write touched. */
async function handleRequest(
  { deps, queues }: Omit<RoutesDependencies, "stats">,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly body: Buffer | null; readonly touched: number | undefined }> {
  const method = METHODS[request.method];
  if (method === undefined) throw faults.method(request.method);
  const table = findTable((request.params as { table: string }).table);
  checkProfile(request.headers[method.profile]);
  const { applied, ...preferences } = parsePrefer(request.headers["prefer"], method.preferences);
  const caller = callerOf(request);
  const role = deps.access.roleOf(caller.claims);
  const client = clientKey(request.raw, deps.settings.trustProxy);
  const plan = parsePlan(
    table,
    queryOf(request),
    method.profile === WRITE ? "write" : "read",
    caller.role,
  );
  const asked: Request = {
    table,
    plan,
    preferences: { ...preferences, applied },
    caller,
    charge: method.profile === WRITE ? guardBoard(deps, request, caller, table) : null,
    board: { isHost: role === "host", drawsLocked: role !== null },
    ...shapeOf(request.headers.accept),
    range: request.headers.range,
    body: checkedBody(request),
  };
  const response = await queues[plan.purpose].run(client, () => method.run(deps.database, asked));
  // Changes that this process lets pass take effect immediately, not with its next look.
  if (table.hostOnly === true && method.profile === WRITE) await deps.access.refresh();
  if (applied.length > 0) reply.header("preference-applied", applied.join(", "));
  reply.code(response.status).headers({ "cache-control": "no-store", ...response.headers });
  const { body, touched } = response;
  if (body === null) return { body, touched };
  reply.header("content-type", `${typeOf(asked)}; charset=utf-8`);
  return { body, touched };
}

function tableOf({ params }: FastifyRequest): unknown {
  return (params as { table?: unknown } | undefined)?.table;
}

function bytesOf({ body }: FastifyRequest): number {
  return body instanceof Uint8Array ? body.length : 0;
}

function queryOf({ url }: FastifyRequest): string {
  return url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";
}

function findTable(given: string): Table {
  if (given === "") throw faults.path();
  const table = TABLES.get(given);
  if (table === undefined) throw faults.table(given);
  return table;
}

function checkProfile(header: string | string[] | undefined): void {
  if (header !== undefined && header !== SCHEMA) throw faults.schema(String(header));
}

function checkedBody(request: FastifyRequest): unknown {
  if (request.method !== "POST" && request.method !== "PATCH") return undefined;
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== undefined && type !== "application/json" && type !== ONE_OBJECT)
    throw faults.badJson(`Content-Type not acceptable: ${type.slice(0, 100)}`);
  return request.body;
}

function callerOf(request: FastifyRequest): Caller {
  if (request.tableCaller === null) throw new Error("The caller was not checked");
  return request.tableCaller;
}

function countBody({ tableBody }: FastifyRequest, giveWay: () => void): Reception {
  if (tableBody === null) throw new Error("The caller was not checked");
  return tableBody(giveWay);
}

interface Failed {
  readonly error: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function sendFault(deps: ServerEnvironment, { error, request, reply }: Failed): FastifyReply {
  const role: Role = request.tableCaller?.role ?? "anon";
  const fault = asFault(error, role);
  if (fault?.status === 503) reply.header("retry-after", RETRY_AFTER);
  if (fault !== null) return reply.code(fault.status).send(fault.body);
  deps.log.error("a table request failed", {
    method: request.method,
    route: request.routeOptions.url,
    ...errorFields(error),
  });
  const body = { code: "XX000", details: null, hint: null, message: "Internal server error" };
  return reply.code(500).send(body);
}

function asFault(error: unknown, role: Role): TableFault | null {
  if (error instanceof TableFault) return error;
  if (error instanceof StorageFault) return ofStorage(error, role);
  if (error instanceof DatabaseUnavailable) return faults.unavailable();
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return null;
  const status = Number(error.statusCode);
  const message = error instanceof Error ? error.message : "Bad request";
  return status >= 400 && status < 500 ? new TableFault(status, "PGRST102", message) : null;
}

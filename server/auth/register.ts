/** Registers the auth API: its tables, its routes, and the only place that turns faults into responses. */

import { setTimeout as pause } from "node:timers/promises";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ServerEnvironment } from "../port.ts";
import { errorFields } from "../process/error-fields.ts";
import { DatabaseUnavailable, RETRY_AFTER, StorageFault } from "../storage/faults.ts";
import { migrate } from "../storage/migrate.ts";
import { checkCaptcha } from "./context/captcha.ts";
import type { Auth } from "./context/context.ts";
import { removeExpired } from "./context/counters.ts";
import { untilEven } from "./http/even.ts";
import { API_VERSION, AuthFault, faultBody, wantsCodes } from "./http/errors.ts";
import { createDeliveries } from "./mail/deliveries.ts";
import { createLimits, limitTable } from "./context/limits.ts";
import { createMailbox, isLocalAddress, isLocalName } from "./mail/mailbox.ts";
import { createOutbox, logTransport, smtpTransport } from "./mail/outbox.ts";
import { createTemplates } from "./mail/templates.ts";
import { showMetadata } from "./oauth-server/discovery.ts";
import { OAuthFault, toOAuthFault } from "./oauth-server/faults.ts";
import type { GivenAuthSettings } from "./read-settings.ts";
import { openPepperSecret } from "./secrets/pepper.ts";
import { createRedirects } from "./http/redirects.ts";
import type { AuthResponse, AuthRequest, Fields } from "./http/request.ts";
import { BODY_BYTES, ROUTES, type Route } from "./routes.ts";
import { createSamlPool } from "./assertions/pool.ts";
import { createPasswords } from "./secrets/passwords.ts";
import { createPepper } from "./secrets/secrets.ts";
import { createSmsSender } from "./sms/messages.ts";
import { AUTH_STEPS } from "./store/schema.ts";
import { API_PATH, createUrls } from "./http/urls.ts";

const CLEANUP_MS = 600_000;

/** Registers the API. */
export async function registerAuth(
  app: FastifyInstance,
  deps: ServerEnvironment,
  given: GivenAuthSettings,
): Promise<void> {
  const { settings } = given;
  for (const warning of given.warnings) deps.log.warn(warning);
  await migrate(deps.database, "auth", AUTH_STEPS);
  const auth = await createAuth(app, deps, given);
  allowMoreHeaders(app, settings.GOTRUE_CORS_ALLOWED_HEADERS);
  const timer = setInterval(() => {
    removeExpired(auth).catch(() => auth.log.warn("the auth tables could not be swept"));
  }, CLEANUP_MS).unref();
  app.addHook("onClose", async () => {
    clearInterval(timer);
    await Promise.all([auth.saml.close(), auth.passwords.close()]);
    await auth.outbox.close();
  });
  if (settings.GOTRUE_OAUTH_SERVER_ENABLED)
    app.get(`/.well-known/oauth-authorization-server${API_PATH}`, async (_request, reply) =>
      // RFC 8414 puts it there for an address with a path; any page may read it, like the rest of the API.
      send(reply.header("access-control-allow-origin", "*"), await showMetadata(auth)),
    );
  await app.register(async (scope) => serve(scope, auth), { prefix: API_PATH });
}

async function createAuth(
  app: FastifyInstance,
  deps: ServerEnvironment,
  { settings, templates }: GivenAuthSettings,
): Promise<Auth> {
  const { log, clock } = deps;
  const productName = deps.settings.productName;
  const mailbox = settings.INKPOOL_DEV_MAILBOX ? createMailbox(clock) : null;
  const urls = createUrls(app, settings, deps.settings.basePath);
  const senderHost = new URL(settings.GOTRUE_SITE_URL ?? "http://localhost").hostname;
  const transport =
    settings.GOTRUE_SMTP_HOST === null
      ? logTransport(log, mailbox)
      : smtpTransport(settings, productName, senderHost);
  const unhurried = (ms: number): Promise<void> => pause(ms, undefined, { ref: false });
  const deliveries = createDeliveries(log, unhurried);
  return {
    settings,
    productName,
    database: deps.database,
    keys: deps.keys,
    log,
    clock,
    pepper: createPepper(await openPepperSecret(deps, settings.INKPOOL_AUTH_KEY)),
    urls,
    redirects: createRedirects(urls.site, settings.GOTRUE_URI_ALLOW_LIST),
    outbox: createOutbox(transport, deliveries, log, unhurried),
    templates: createTemplates(settings, templates, (message) => log.warn(message)),
    mailbox,
    sms: createSmsSender({ settings, log, mailbox, deliveries, clock }),
    limits: createLimits(limitTable(settings), clock),
    passwords: createPasswords(deps.passwordCost),
    saml: createSamlPool(),
  };
}

/** Adds to the headers that server/http allows to other origins, since it does not know these settings. */
function allowMoreHeaders(app: FastifyInstance, more: readonly string[]): void {
  if (more.length === 0) return;
  app.addHook("onSend", async (request, reply) => {
    const allowed = reply.getHeader("access-control-allow-headers");
    if (request.method === "OPTIONS" && request.url.startsWith(API_PATH) && allowed !== undefined)
      reply.header("access-control-allow-headers", `${String(allowed)}, ${more.join(", ")}`);
  });
}

function serve(scope: FastifyInstance, auth: Auth): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    sendFault(request, reply, toFault(auth, error, request));
  });
  scope.setNotFoundHandler((request, reply) => {
    sendFault(request, reply, new AuthFault("not_found", "There is no such route"));
  });
  for (const route of ROUTES)
    scope.route({
      method: route.method,
      url: route.path,
      // A mail scanner's HEAD must not redeem a link.
      exposeHeadRoute: false,
      bodyLimit: route.bodyBytes ?? BODY_BYTES,
      // This runs before the body is received, so that a request over the limit costs only its headers.
      onRequest: async (request) => {
        if (route.limit !== undefined) auth.limits.take(route.limit, addressOf(auth, request));
      },
      ...(route.oauthErrors === true
        ? {
            errorHandler: (error: FastifyError | OAuthFault, _request, reply: FastifyReply) =>
              sendOAuthFault(
                reply,
                error instanceof OAuthFault ? error : toOAuthFault(toFault(auth, error, _request)),
              ),
          }
        : {}),
      handler: async (request, reply) => {
        const parsed = readRequest(auth, route, request);
        if (route.captcha === true) await checkCaptcha(auth, parsed);
        return send(
          reply,
          await (route.even === true ? evenly(route, auth, parsed) : route.handle(auth, parsed)),
        );
      },
    });
}

/** Returns the response or the fault of a route at a time that reveals nothing. */
async function evenly(route: Route, auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const began = performance.now();
  try {
    return await route.handle(auth, request);
  } finally {
    await pause(untilEven(performance.now() - began));
  }
}

function toFault(auth: Auth, error: FastifyError, request: FastifyRequest): AuthFault {
  if (error instanceof AuthFault) return error;
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500)
    return new AuthFault("validation_failed", error.message, { status });
  if (error instanceof DatabaseUnavailable)
    return new AuthFault("unexpected_failure", "The database is unavailable, try again later", {
      status: 503,
    });
  if (error instanceof StorageFault && error.code === "23503")
    return new AuthFault("conflict", "What the request is about was deleted at the same time");
  if (error instanceof StorageFault && error.code === "22021")
    return new AuthFault("validation_failed", "A value contains a null character");
  auth.log.error("an auth request failed", {
    method: request.method,
    route: request.routeOptions.url,
    ...errorFields(error),
  });
  return new AuthFault(
    "unexpected_failure",
    "Unexpected failure, please check server logs for more information",
  );
}

function sendFault(request: FastifyRequest, reply: FastifyReply, fault: AuthFault): void {
  const version = request.headers["x-supabase-api-version"];
  const codes = wantsCodes(typeof version === "string" ? version : undefined);
  reply.header("cache-control", "no-store").header("x-sb-error-code", fault.code);
  if (codes) reply.header("x-supabase-api-version", API_VERSION);
  if (fault.status === 429) reply.header("retry-after", "60");
  if (fault.status === 503) reply.header("retry-after", RETRY_AFTER);
  void reply.code(fault.status).send(faultBody(fault, codes));
}

function sendOAuthFault(reply: FastifyReply, fault: OAuthFault): void {
  reply.header("cache-control", "no-store");
  if (fault.challenge) reply.header("www-authenticate", 'Basic realm="oauth"');
  if (fault.status === 429) reply.header("retry-after", "60");
  if (fault.status === 503) reply.header("retry-after", RETRY_AFTER);
  void reply.code(fault.status).send({ error: fault.code, error_description: fault.message });
}

function send(reply: FastifyReply, response: AuthResponse): FastifyReply {
  reply.header("cache-control", "no-store").headers({ ...response.headers });
  if (response.location !== undefined)
    return reply.redirect(response.location, response.status ?? 303);
  if (response.page !== undefined)
    // No script of another origin may read a page.
    return reply
      .removeHeader("access-control-allow-origin")
      .header(
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .type(response.page.type)
      .send(response.page.text);
  if (response.json === undefined) return reply.code(response.status ?? 204).send();
  return reply
    .code(response.status ?? 200)
    .type("application/json")
    .send(JSON.stringify(response.json));
}

/** Returns the client's address: that of the connection, or the one that the operator's proxy names. */
function addressOf(auth: Auth, request: FastifyRequest): string {
  const header = auth.settings.GOTRUE_RATE_LIMIT_HEADER;
  const named = header === null ? undefined : request.headers[header.toLowerCase()];
  const address = typeof named === "string" ? named.split(",", 1)[0]?.trim() : undefined;
  return (address === undefined || address === "" ? request.ip : address).slice(0, 64);
}

function readRequest(auth: Auth, route: Route, request: FastifyRequest): AuthRequest {
  const ip = addressOf(auth, request);
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.authorization?.trim() ?? "")?.[1];
  return {
    method: request.method,
    body: readBody(route, request),
    query: flatten(request.query),
    params: flatten(request.params),
    ip,
    local: isLocalAddress(request.ip) && isLocalAddress(ip) && isLocalName(request.hostname),
    userAgent: request.headers["user-agent"] ?? "",
    bearer,
    basic: /^basic +(\S+)$/i.exec(request.headers.authorization?.trim() ?? "")?.[1],
    origin: request.headers.origin,
  };
}

/** Makes fields of parsed values; of a name that occurs twice the first value counts. */
function flatten(values: unknown): Fields {
  const flat: Record<string, unknown> = {};
  if (typeof values !== "object" || values === null) return flat;
  for (const [name, value] of Object.entries(values))
    flat[name] = Array.isArray(value) ? value[0] : value;
  return flat;
}

/**
 * Reads the body.
 * @throws AuthFault bad_json
 */
function readBody(route: Route, request: FastifyRequest): Fields {
  const text = typeof request.body === "string" ? request.body : "";
  if (text.trim() === "") return {};
  if (
    route.form === true &&
    request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded")
  )
    return Object.fromEntries(new URLSearchParams(text));
  try {
    const value: unknown = JSON.parse(text, refusePrototypes);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Fields;
  } catch {
    // A text that is not JSON gets the same fault as one that is no object, below.
  }
  throw new AuthFault("bad_json", "Could not parse request body as JSON");
}

function refusePrototypes(this: unknown, key: string, value: unknown): unknown {
  if (key === "__proto__") throw new SyntaxError("__proto__ is not allowed");
  return value;
}

/** An OpenID Connect provider and a GitHub for tests. The person agrees to every sign-in immediately. */

import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT, exportJWK, generateKeyPair, type CryptoKey, type JWK } from "jose";
import { freshEmail } from "./people.ts";

export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
  /** The person who signs in. */
  person: ProviderPerson;
  /** The number of times that the keys were fetched. */
  readonly keyFetches: number;
  /** The query of the last request to authorize. */
  readonly authorizeQuery: URLSearchParams;
  /** An id token as a page would receive it. */
  idToken(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Replaces the signing key. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

interface Grant {
  readonly nonce: string | null;
  readonly challenge: string;
  readonly person: ProviderPerson;
}

/** The state that the routes share and change. */
interface State {
  issuer: string;
  person: ProviderPerson;
  keys: SigningKey;
  keyFetches: number;
  authorizeQuery: URLSearchParams;
  /** The grants by authorization code. */
  readonly grants: Map<string, Grant>;
  /** The people by access token. */
  readonly people: Map<string, ProviderPerson>;
}

const CLIENT_ID = "inkpool-client";
const CLIENT_SECRET = "inkpool-client-secret";

/** Returns the settings by which the auth server knows a provider by a name, such as KEYCLOAK. */
export function providerSettings(
  { clientId, secret, issuer }: OpenIdProvider,
  name: string,
): Record<string, string> {
  return {
    [`GOTRUE_EXTERNAL_${name}_ENABLED`]: "true",
    [`GOTRUE_EXTERNAL_${name}_CLIENT_ID`]: `${clientId},second-audience`,
    [`GOTRUE_EXTERNAL_${name}_SECRET`]: secret,
    [`GOTRUE_EXTERNAL_${name}_URL`]: issuer,
  };
}

let subjects = 0;

/** Returns a person whom no account knows, with a verified address. */
export function newcomer(more: Partial<ProviderPerson> = {}): ProviderPerson {
  subjects += 1;
  return {
    sub: String(1000 + subjects),
    email: freshEmail("oauth"),
    email_verified: true,
    name: "Olga O",
    ...more,
  };
}

/** Starts a provider on a free port of this machine. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const state: State = {
    issuer: "",
    person: { sub: "person-1", email: "p1@example.org", email_verified: true, name: "P One" },
    keys: await makeKey(),
    keyFetches: 0,
    authorizeQuery: new URLSearchParams(),
    grants: new Map(),
    people: new Map(),
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", state.issuer);
    const route = ROUTES[url.pathname];
    if (route === undefined) return send(response, {}, 404);
    void Promise.resolve(route(state, url, request, response)).catch(() => send(response, {}, 500));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer: state.issuer,
    clientId: CLIENT_ID,
    secret: CLIENT_SECRET,
    get person() {
      return state.person;
    },
    set person(next) {
      state.person = next;
    },
    get keyFetches() {
      return state.keyFetches;
    },
    get authorizeQuery() {
      return state.authorizeQuery;
    },
    idToken: (claims) => signIdToken(state, claims),
    async rotate() {
      state.keys = await makeKey();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function signIdToken(
  state: State,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, exp: now + 300 };
  const all = { iss: state.issuer, aud: CLIENT_ID, ...times, ...state.person, ...claims };
  return new SignJWT(all)
    .setProtectedHeader({ alg: "RS256", kid: state.keys.jwk.kid ?? "" })
    .sign(state.keys.key);
}

type Route = (
  state: State,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void> | void;

const ROUTES: Readonly<Record<string, Route>> = {
  "/.well-known/openid-configuration": ({ issuer }, _url, _request, response) =>
    send(response, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
    }),
  "/jwks": (state, _url, _request, response) => {
    state.keyFetches++;
    send(response, { keys: [state.keys.jwk] });
  },
  "/authorize": authorize,
  "/login/oauth/authorize": authorize,
  "/token": async (state, _url, request, response) => {
    const tokens = await exchange(state, await readForm(request));
    send(response, tokens ?? { error: "invalid_grant" }, tokens === null ? 400 : 200);
  },
  "/login/oauth/access_token": async (state, _url, request, response) => {
    const tokens = await exchange(state, await readForm(request));
    if (tokens !== null) Reflect.deleteProperty(tokens, "id_token");
    send(response, tokens ?? { error: "bad_verification_code" }, tokens === null ? 400 : 200);
  },
  "/userinfo": ({ people }, _url, request, response) =>
    send(response, people.get(bearer(request)) ?? {}),
  "/api/v3/user": ({ people }, _url, request, response) => {
    const person = people.get(bearer(request));
    send(response, { id: Number(person?.sub), login: "octo", name: person?.name ?? null });
  },
  "/api/v3/user/emails": ({ people }, _url, request, response) => {
    const person = people.get(bearer(request));
    send(response, [
      { email: "other@example.org", primary: false, verified: true },
      { email: person?.email, primary: true, verified: person?.email_verified === true },
    ]);
  },
};

function authorize(
  state: State,
  url: URL,
  _request: IncomingMessage,
  response: ServerResponse,
): void {
  const query = url.searchParams;
  state.authorizeQuery = query;
  const back = new URL(query.get("redirect_uri") ?? "");
  const code = randomUUID();
  state.grants.set(code, {
    nonce: query.get("nonce"),
    challenge: query.get("code_challenge") ?? "",
    person: { ...state.person },
  });
  back.searchParams.set("state", query.get("state") ?? "");
  if (query.get("prompt") === "deny") {
    back.searchParams.set("error", "access_denied");
    back.searchParams.set("error_description", "The person said no");
  } else back.searchParams.set("code", code);
  response.writeHead(302, { location: back.href }).end();
}

/** Returns the tokens for a code; null for a wrong code, verifier or secret. */
async function exchange(state: State, form: URLSearchParams): Promise<object | null> {
  const code = form.get("code") ?? "";
  const grant = state.grants.get(code);
  state.grants.delete(code);
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (grant?.challenge !== challenge || form.get("client_secret") !== CLIENT_SECRET) return null;
  const accessToken = randomUUID();
  state.people.set(accessToken, grant.person);
  const nonce = grant.nonce === null ? {} : { nonce: grant.nonce };
  return {
    access_token: accessToken,
    refresh_token: randomUUID(),
    token_type: "bearer",
    expires_in: 300,
    id_token: await signIdToken(state, { ...grant.person, ...nonce }),
  };
}

interface SigningKey {
  readonly key: CryptoKey;
  readonly jwk: JWK;
}

async function makeKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  return {
    key: privateKey,
    jwk: { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: "RS256", use: "sig" },
  };
}

function bearer(request: IncomingMessage): string {
  return request.headers.authorization?.replace(/^Bearer /i, "") ?? "";
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

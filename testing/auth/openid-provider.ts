/** An OpenID Connect provider, and a GitHub, of the tests' own. People agree at once. */

import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import type { CryptoKey, JWK } from "jose";

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
  /** Who is sitting there. */
  person: ProviderPerson;
  /** How often the keys were fetched. */
  readonly keyFetches: number;
  /** The query of the last request to authorize. */
  readonly asked: URLSearchParams;
  /** An id token as the page would get it. */
  idToken(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** From now on a new key signs. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

interface Grant {
  readonly nonce: string | null;
  readonly challenge: string;
  readonly person: ProviderPerson;
}

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const clientId = "inkpool-client";
  const secret = "inkpool-client-secret";
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, ProviderPerson>();
  let keys = await makeKey();
  let keyFetches = 0;
  let asked = new URLSearchParams();
  let issuer = "";
  let current: ProviderPerson = {
    sub: "person-1",
    email: "p1@example.org",
    email_verified: true,
    name: "P One",
  };

  const idToken = (claims: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: issuer, aud: clientId, iat: now, exp: now + 300, ...current, ...claims };
    return new SignJWT(all)
      .setProtectedHeader({ alg: "RS256", kid: keys.jwk.kid ?? "" })
      .sign(keys.key);
  };

  const tokenAnswer = async (form: URLSearchParams): Promise<object | null> => {
    const grant = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (grant === undefined || grant.challenge !== verifier || form.get("client_secret") !== secret)
      return null;
    const accessToken = randomUUID();
    tokens.set(accessToken, grant.person);
    const nonce = grant.nonce === null ? {} : { nonce: grant.nonce };
    return {
      access_token: accessToken,
      refresh_token: randomUUID(),
      token_type: "bearer",
      expires_in: 300,
      id_token: await idToken({ ...grant.person, ...nonce }),
    };
  };

  const authorize = (url: URL, response: ServerResponse): void => {
    asked = url.searchParams;
    const back = new URL(asked.get("redirect_uri") ?? "");
    const code = randomUUID();
    codes.set(code, {
      nonce: asked.get("nonce"),
      challenge: asked.get("code_challenge") ?? "",
      person: { ...current },
    });
    back.searchParams.set("state", asked.get("state") ?? "");
    if (asked.get("prompt") === "deny") {
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", "The person said no");
    } else back.searchParams.set("code", code);
    response.writeHead(302, { location: back.href }).end();
  };

  const routes: Readonly<
    Record<
      string,
      (url: URL, request: IncomingMessage, response: ServerResponse) => Promise<void> | void
    >
  > = {
    "/.well-known/openid-configuration": (_url, _request, response) =>
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
    "/jwks": (_url, _request, response) => {
      keyFetches++;
      send(response, { keys: [keys.jwk] });
    },
    "/authorize": (url, _request, response) => authorize(url, response),
    "/login/oauth/authorize": (url, _request, response) => authorize(url, response),
    "/token": async (_url, request, response) => {
      const answer = await tokenAnswer(await readForm(request));
      send(response, answer ?? { error: "invalid_grant" }, answer === null ? 400 : 200);
    },
    "/login/oauth/access_token": async (_url, request, response) => {
      const answer = await tokenAnswer(await readForm(request));
      if (answer !== null) Reflect.deleteProperty(answer, "id_token");
      send(response, answer ?? { error: "bad_verification_code" }, answer === null ? 400 : 200);
    },
    "/userinfo": (_url, request, response) => send(response, tokens.get(bearer(request)) ?? {}),
    "/api/v3/user": (_url, request, response) => {
      const person = tokens.get(bearer(request));
      send(response, { id: Number(person?.sub), login: "octo", name: person?.name ?? null });
    },
    "/api/v3/user/emails": (_url, request, response) => {
      const person = tokens.get(bearer(request));
      send(response, [
        { email: "other@example.org", primary: false, verified: true },
        { email: person?.email, primary: true, verified: person?.email_verified === true },
      ]);
    },
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const route = routes[url.pathname];
    if (route === undefined) send(response, {}, 404);
    else void Promise.resolve(route(url, request, response)).catch(() => send(response, {}, 500));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    clientId,
    secret,
    get person() {
      return current;
    },
    set person(next) {
      current = next;
    },
    get keyFetches() {
      return keyFetches;
    },
    get asked() {
      return asked;
    },
    idToken,
    async rotate() {
      keys = await makeKey();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function makeKey(): Promise<{ readonly key: CryptoKey; readonly jwk: JWK }> {
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

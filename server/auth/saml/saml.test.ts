import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimsOf } from "../../../testing/auth/people.ts";
import {
  createSamlIdp,
  samlPrivateKey,
  type SamlResponse,
  type SamlIdp,
} from "../../../testing/auth/saml-idp.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";
import { certificateOf, readPrivateKey } from "../settings/certificate.ts";
import { parseMetadata } from "./metadata.ts";

let server: AuthServer;
const idp: SamlIdp = createSamlIdp("https://idp.example.org/metadata");
let providerId = "";

beforeAll(async () => {
  server = await startAuthServer({
    env: { GOTRUE_SAML_ENABLED: "true", GOTRUE_SAML_PRIVATE_KEY: samlPrivateKey() },
  });
  const made = await admin("POST", "", {
    type: "saml",
    metadata_xml: idp.metadata,
    domains: ["corp.example"],
    attribute_mapping: { keys: { team: { name: "team", default: "none" } } },
  });
  expect(made.status).toBe(201);
  providerId = String(((await made.json()) as { id: string }).id);
});

afterAll(() => server.close());

function admin(
  method: string,
  path: string,
  body?: object,
  by: { readonly key?: string; readonly at?: AuthServer } = {},
): Promise<Response> {
  const { at = server, key = at.serviceKey } = by;
  return at.call(`/admin/sso/providers${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Posts the form of a browser to the service provider, and returns where that leads. */
async function post(
  form: Readonly<Record<string, string>>,
  at = server,
): Promise<{ url: URL; values: URLSearchParams }> {
  const response = await at.call("/sso/saml/acs", {
    method: "POST",
    body: new URLSearchParams(form).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const url = new URL(response.headers.get("location") ?? "");
  return { url, values: new URLSearchParams(url.hash.slice(1)) };
}

async function loginUrl(at = server): Promise<string> {
  const { data, error } = await at.client().auth.signInWithSSO({ domain: "corp.example" });
  if (error !== null) throw error;
  return data.url;
}

async function attempt(response: SamlResponse): Promise<URLSearchParams> {
  return (await post(idp.respond(await loginUrl(), response))).values;
}

test("AUTH-31 SAML signs in by domain and by provider id, to an account that is separate from all others", async () => {
  const { values, url } = await post(
    idp.respond(await loginUrl(), { attributes: { team: "ink" } }),
  );
  expect(url.origin).toBe("http://localhost:3000");
  const token = values.get("access_token") ?? "";
  expect(claimsOf(token)["amr"]).toMatchObject([{ method: "sso/saml", provider: providerId }]);
  const { data } = await server.client().auth.getUser(token);
  expect(data.user).toMatchObject({
    email: "sso@corp.example",
    is_sso_user: true,
    app_metadata: { provider: `sso:${providerId}` },
    user_metadata: { custom_claims: { team: "ink" } },
  });
  const client = server.client({ flowType: "pkce" });
  const started = await client.auth.signInWithSSO({
    providerId,
    options: { redirectTo: "http://localhost:3000/in" },
  });
  const back = await post(idp.respond(started.data?.url ?? ""));
  expect(back.url.pathname).toBe("/in");
  const session = await client.auth.exchangeCodeForSession(back.url.searchParams.get("code") ?? "");
  expect(session.data.user?.id).toBe(data.user?.id);
  const managed = await client.auth.updateUser({ password: "correct horse battery" });
  expect(managed.error?.code).toBe("user_sso_managed");
});

test("AUTH-31 an assertion that is forged, changed, meant for others, too old or used again signs nobody in", async () => {
  const impostor = createSamlIdp(idp.entityId);
  const forged = await post(impostor.respond(await loginUrl()));
  expect(forged.values.get("error_code")).toBe("validation_failed");
  const tries: SamlResponse[] = [
    { tamper: (xml) => xml.replace("sso@corp.example", "boss@corp.example") },
    { tamper: (xml) => xml.replace(/<(?:ds:)?Signature.*<\/(?:ds:)?Signature>/s, "") },
    { audience: "https://another.example" },
    { notOnOrAfter: -5 },
    { inResponseTo: "_somebody-elses-request" },
  ];
  for (const response of tries) expect((await attempt(response)).get("access_token")).toBeNull();
  const form = idp.respond(await loginUrl());
  expect((await post(form)).values.get("access_token")).toBeTruthy();
  expect((await post(form)).values.get("error_code")).toBe("saml_relay_state_not_found");
  expect((await attempt({ email: "nobody" })).get("error_code")).toBe("saml_assertion_no_email");
  const expired = idp.respond(await loginUrl());
  server.advance(121_000);
  expect((await post(expired)).values.get("error_code")).toBe("saml_relay_state_expired");
});

test("AUTH-31 a sign-in may begin at the identity provider: its assertion answers no request, is for this service, fresh, and signs in once", async () => {
  const make = async (more: SamlResponse = {}): Promise<Record<string, string>> => ({
    ...idp.respond(await loginUrl(), { unsolicited: "all", ...more }),
    RelayState: "http://localhost:3000/in",
  });
  const form = await make();
  const first = await post(form);
  expect(first.url.pathname).toBe("/in");
  expect(first.values.get("access_token")).toBeTruthy();
  expect((await post(form)).values.get("error_code")).toBe("validation_failed");
  const bare = await post({ ...(await make()), RelayState: "" });
  expect(bare.values.get("error_code")).toBe("saml_relay_state_not_found");
  const outside = await post({ ...(await make()), RelayState: "https://evil.example/in" });
  expect(outside.url.origin).toBe("http://localhost:3000");
  const refused: readonly (readonly [SamlResponse, string])[] = [
    [{ unsolicited: "response" }, "an intercepted answer to a request"],
    [{ recipient: "https://another.example/acs" }, "for another service"],
    [{ audience: "https://another.example" }, "for another audience"],
    [{ notOnOrAfter: -5 }, "too old"],
    [{ tamper: (xml) => xml.replace("sso@corp.example", "boss@corp.example") }, "changed"],
    [
      { tamper: (xml) => xml.replace(/<(?:ds:)?Signature.*<\/(?:ds:)?Signature>/s, "") },
      "unsigned",
    ],
  ];
  for (const [more, why] of refused) {
    const { values } = await post(await make(more));
    expect([why, values.get("error_code")]).toEqual([why, "validation_failed"]);
  }
  const forged = createSamlIdp(idp.entityId).respond(await loginUrl(), { unsolicited: "all" });
  const unknown = createSamlIdp("https://unknown.example").respond(await loginUrl());
  const only = ({ SAMLResponse }: { SAMLResponse: string }): ReturnType<typeof post> =>
    post({ SAMLResponse, RelayState: "http://localhost:3000/in" });
  expect((await only(forged)).values.get("error_code")).toBe("validation_failed");
  expect((await only(unknown)).values.get("error_code")).toBe("saml_idp_not_found");
  for (const text of ["", "x", "<a/>", "<!DOCTYPE a><a/>"]) {
    const { values } = await only({ SAMLResponse: Buffer.from(text).toString("base64") });
    expect([text, values.get("access_token")]).toEqual([text, null]);
  }
  const old = await make();
  server.advance(700_000);
  expect((await post(old)).values.get("error_code")).toBe("validation_failed");
  const strict = await startAuthServer({
    env: {
      GOTRUE_SAML_ENABLED: "true",
      GOTRUE_SAML_PRIVATE_KEY: samlPrivateKey(),
      INKPOOL_SAML_IDP_INITIATED: "false",
    },
  });
  expect((await post(await make(), strict)).values.get("error_code")).toBe(
    "saml_relay_state_not_found",
  );
  await strict.close();
});

test("AUTH-31 an encrypted assertion signs in where the setting allows it, and only when it is signed and for this service", async () => {
  const key = samlPrivateKey();
  const certificate = async (of: AuthServer): Promise<X509Certificate | undefined> => {
    const xml = await (await of.call("/sso/saml/metadata")).text();
    const found = /use="encryption".*?X509Certificate>([^<]+)</s.exec(xml)?.[1];
    return found === undefined ? undefined : new X509Certificate(Buffer.from(found, "base64"));
  };
  expect(await certificate(server)).toBeUndefined();
  const own = await startAuthServer({
    env: {
      GOTRUE_SAML_ENABLED: "true",
      GOTRUE_SAML_PRIVATE_KEY: key,
      GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS: "true",
    },
  });
  const provider = { type: "saml", metadata_xml: idp.metadata, domains: ["corp.example"] };
  expect((await admin("POST", "", provider, { at: own })).status).toBe(201);
  const encryptFor = await certificate(own);
  if (encryptFor === undefined) throw new Error("the metadata has no key for encryption");
  const attemptAt = async (of: AuthServer, response: SamlResponse): Promise<URLSearchParams> =>
    (await post(idp.respond(await loginUrl(of), response), of)).values;
  expect((await attemptAt(own, { encryptFor })).get("access_token")).toBeTruthy();
  expect((await attemptAt(own, {})).get("access_token")).toBeTruthy();
  const unsigned = /<(?:ds:)?Signature.*<\/(?:ds:)?Signature>/s;
  const refused: readonly (readonly [AuthServer, SamlResponse])[] = [
    [own, { encryptFor, tamper: (xml) => xml.replace(unsigned, "") }],
    [own, { encryptFor, tamper: (xml) => xml.replace("sso@corp", "boss@corp") }],
    [own, { encryptFor, audience: "https://another.example" }],
    [
      own,
      { encryptFor: new X509Certificate(certificateOf(readPrivateKey(samlPrivateKey()), "x")) },
    ],
    [server, { encryptFor }],
  ];
  for (const [at, response] of refused) {
    const values = await attemptAt(at, response);
    expect(values.get("access_token")).toBeNull();
    expect(values.get("error_code")).toBe("validation_failed");
  }
  await own.close();
});

test("the metadata names this service provider and its certificate", async () => {
  const response = await server.call("/sso/saml/metadata");
  expect(response.headers.get("content-type")).toContain("application/xml");
  const xml = await response.text();
  expect(xml).toContain(`entityID="${server.url}/auth/v1/sso/saml/metadata"`);
  expect(xml).toContain(`${server.url}/auth/v1/sso/saml/acs`);
  const certificate = /X509Certificate>([^<]+)</.exec(xml)?.[1] ?? "";
  const parsed = new X509Certificate(Buffer.from(certificate, "base64"));
  expect(parsed.verify(parsed.publicKey)).toBe(true);
});

test("the service key lists, reads, changes and removes identity providers", async () => {
  const own = createSamlIdp("https://second.example/metadata");
  const made = await admin("POST", "", {
    type: "saml",
    metadata_xml: own.metadata,
    domains: ["second.example"],
  });
  const { id } = (await made.json()) as { id: string };
  const again = await admin("POST", "", { type: "saml", metadata_xml: own.metadata });
  expect(await again.json()).toMatchObject({ error_code: "saml_idp_already_exists" });
  const stolen = await admin("PUT", `/${id}`, { domains: ["corp.example"] });
  expect(await stolen.json()).toMatchObject({ error_code: "sso_domain_already_exists" });
  const mismatch = await admin("PUT", `/${id}`, { metadata_xml: idp.metadata });
  expect(await mismatch.json()).toMatchObject({ error_code: "saml_entity_id_mismatch" });
  const changed = await admin("PUT", `/${id}`, { disabled: true });
  expect(await changed.json()).toMatchObject({
    disabled: true,
    domains: [{ domain: "second.example" }],
  });
  const off = await server.client().auth.signInWithSSO({ domain: "second.example" });
  expect(off.error?.code).toBe("sso_provider_disabled");
  const listed = (await (await admin("GET", "")).json()) as { items: { id: string }[] };
  expect(listed.items.map((item) => item.id)).toEqual([providerId, id]);
  expect((await admin("DELETE", `/${id}`)).status).toBe(200);
  expect((await admin("GET", `/${id}`)).status).toBe(404);
  expect((await admin("GET", "", undefined, { key: server.anonKey })).status).toBe(403);
  const unknown = await server.client().auth.signInWithSSO({ domain: "nobody.example" });
  expect(unknown.error?.code).toBe("sso_provider_not_found");
});

test("without SAML its routes are saml_provider_disabled", async () => {
  const plain = await startAuthServer();
  const { error } = await plain.client().auth.signInWithSSO({ domain: "corp.example" });
  expect(error).toMatchObject({
    code: "saml_provider_disabled",
    status: 404,
    message: "SAML 2.0 is disabled",
  });
  expect((await plain.call("/sso/saml/metadata")).status).toBe(404);
  await plain.close();
});

test("metadata that is no metadata is refused", async () => {
  for (const xml of [
    "",
    "<a/>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
    idp.metadata.replace("IDPSSO", "SPSSO"),
    idp.metadata.replace(/HTTP-Redirect/, "SOAP"),
  ])
    await expect(parseMetadata(xml)).rejects.toMatchObject({ code: "validation_failed" });
  const bad = await admin("POST", "", { type: "saml", metadata_xml: "<nothing/>" });
  expect(bad.status).toBe(400);
  const http = await admin("POST", "", {
    type: "saml",
    metadata_url: "http://idp.example.org/metadata",
  });
  expect(await http.json()).toMatchObject({ error_code: "validation_failed" });
});

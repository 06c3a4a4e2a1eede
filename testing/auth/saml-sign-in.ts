/** The parts of a SAML sign-in that a browser and an administrator perform. */

import { createSamlIdp, samlPrivateKey, type SamlIdp, type SamlResponse } from "./saml-idp.ts";
import { startAuthServer, type AuthServer, type Env } from "./server.ts";

/** The form that a browser posts to the service provider, from an identity provider's page. */
export type SamlForm = ReturnType<SamlIdp["respond"]>;

/** A server that accepts assertions, and its identity provider, which has the domain corp.example. */
export interface SamlBed {
  readonly server: AuthServer;
  readonly idp: SamlIdp;
  /** Calls the admin API for identity providers, with the service key unless another one is given. */
  readonly admin: (method: string, path: string, body?: object, key?: string) => Promise<Response>;
  /** Returns the address where a sign-in begins: the identity provider's, with this service's request. */
  readonly loginUrl: (domain?: string) => Promise<string>;
  /** Posts the browser's form, and returns where that leads. */
  readonly post: (
    form: Readonly<Record<string, string>>,
  ) => Promise<{ url: URL; values: URLSearchParams }>;
  /** Attempts a sign-in that begins here, and returns where it leads. */
  readonly attempt: (response?: SamlResponse) => Promise<URLSearchParams>;
  /** Returns the form of a sign-in that begins at the identity provider. */
  readonly unsolicited: (response?: SamlResponse) => Promise<SamlForm>;
}

export async function startSamlBed(
  env: Env = {},
  idp = createSamlIdp("https://idp.example.org/metadata"),
): Promise<SamlBed> {
  const server = await startAuthServer({
    env: {
      GOTRUE_SAML_ENABLED: "true",
      GOTRUE_SAML_PRIVATE_KEY: samlPrivateKey(),
      GOTRUE_SAML_RATE_LIMIT_ASSERTION: "100000",
      GOTRUE_RATE_LIMIT_SSO: "100000",
      ...env,
    },
  });
  const admin: SamlBed["admin"] = (method, path, body, key = server.serviceKey) =>
    server.call(`/admin/sso/providers${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const loginUrl: SamlBed["loginUrl"] = async (domain = "corp.example") => {
    const { data, error } = await server.client().auth.signInWithSSO({ domain });
    if (error !== null) throw error;
    return data.url;
  };
  const post: SamlBed["post"] = async (form) => {
    const response = await server.call("/sso/saml/acs", {
      method: "POST",
      body: new URLSearchParams(form).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const url = new URL(response.headers.get("location") ?? "http://no.location/");
    return { url, values: new URLSearchParams(url.hash.slice(1)) };
  };
  const added = await admin("POST", "", {
    type: "saml",
    metadata_xml: idp.metadata,
    domains: ["corp.example"],
  });
  if (added.status !== 201) throw new Error(await added.text());
  return {
    server,
    idp,
    admin,
    loginUrl,
    post,
    attempt: async (response) => (await post(idp.respond(await loginUrl(), response))).values,
    unsolicited: async (response) => ({
      ...idp.respond(await loginUrl(), { unsolicited: "all", ...response }),
      RelayState: "http://localhost:3000/in",
    }),
  };
}

/** Returns the text of a form's response. */
export function xmlOf(form: SamlForm): string {
  return Buffer.from(form.SAMLResponse, "base64").toString("utf8");
}

/** Returns the form with another response. */
export function withXml(form: SamlForm, xml: string): SamlForm {
  return { ...form, SAMLResponse: Buffer.from(xml).toString("base64") };
}

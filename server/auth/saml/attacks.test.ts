/**
 * Tests attacks with responses of identity providers. Each is a table of attempts, with the reason why they must sign
 * nobody in.
 */

import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSamlIdp, type SamlResponse } from "../../../testing/auth/saml-idp.ts";
import {
  startSamlBed,
  withXml,
  xmlOf,
  type SamlBed,
  type SamlForm,
} from "../../../testing/auth/saml-sign-in.ts";

const OTHER_TENANT = "https://idp.example.org/other-tenant";

let bed: SamlBed;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const idp = createSamlIdp("https://idp.example.org/metadata", privateKey);
const tenant = createSamlIdp(OTHER_TENANT, privateKey);

beforeAll(async () => {
  bed = await startSamlBed({}, idp);
  const added = await bed.admin("POST", "", {
    type: "saml",
    metadata_xml: tenant.metadata,
    domains: ["tenant.example"],
  });
  expect(added.status).toBe(201);
});

afterAll(() => bed.server.close());

/** Returns the error to which a form leads; "" when it signs somebody in. */
async function fault(form: Readonly<Record<string, string>>): Promise<string> {
  const { values } = await bed.post(form);
  return values.has("access_token") ? "" : (values.get("error_code") ?? "none");
}

/** Returns the form of a sign-in that begins here. */
async function solicited(response?: SamlResponse, domain?: string): Promise<SamlForm> {
  return idp.respond(await bed.loginUrl(domain), response);
}

const newest = (): string => bed.server.log.at(-1) ?? "";

test("AUTH-31 XML over the bounds reaches no parser, from anybody and without a signature", async () => {
  const outer = xmlOf(await solicited()).replace(/(<samlp:Response[^>]*>).*/s, "$1");
  const whole = (content: string): string => `${outer}${content}</samlp:Response>`;
  const tried: readonly (readonly [string, string])[] = [
    ["20,000 siblings", whole("<a/>".repeat(20_000))],
    ["130 KB", whole("<a>1234567890</a>".repeat(7_800))],
    ["10,000 deep", whole("<a>".repeat(10_000) + "</a>".repeat(10_000))],
    ["10,000 attributes", whole(`<a ${"x1='' ".repeat(10_000)}/>`)],
    ["entities", `<!DOCTYPE a [<!ENTITY b "${"c".repeat(100)}">]>${whole("&b;".repeat(1_000))}`],
    ["a comment in a name", whole("<saml:NameID>boss@corp.example<!-- -->.evil</saml:NameID>")],
    ["no XML", "PK\u0003\u0004"],
  ];
  for (const [what, xml] of tried)
    for (const form of [await solicited(), await bed.unsolicited()]) {
      expect([what, await fault(withXml(form, xml))]).toEqual([what, "validation_failed"]);
      expect([what, newest()]).toEqual([what, expect.stringContaining("the XML is refused")]);
    }
});

test("AUTH-31 a used assertion signs nobody in again, wherever its sign-ins began", async () => {
  const used = await bed.unsolicited();
  expect(await fault(used)).toBe("");
  // It is wrapped in an unsigned response to the attacker's own request.
  const own = await solicited();
  const outer = /<samlp:Response[^>]*>/.exec(xmlOf(own))?.[0] ?? "";
  const wrapped = withXml(
    own,
    xmlOf(used).replace(/<samlp:Response[^>]*>/, () => outer),
  );
  expect(xmlOf(wrapped)).toContain("InResponseTo");
  expect(await fault(wrapped)).toBe("validation_failed");
  expect(await fault(used)).toBe("validation_failed");
  // The assertion also names the request in the signed part, and there are both forms of it at the same time.
  const answer = await solicited();
  expect(await fault(answer)).toBe("");
  expect(await fault({ ...answer, RelayState: "http://localhost:3000/in" })).toBe(
    "validation_failed",
  );
  const twice = await bed.unsolicited();
  const both = await Promise.all([fault(twice), fault(twice), fault(twice)]);
  expect(both.toSorted()).toEqual(["", "validation_failed", "validation_failed"]);
  // It is the same assertion in two responses to one request: the second flow is another one.
  const first = await solicited();
  const second = await solicited();
  expect(await fault({ ...first, RelayState: second.RelayState })).toBe("validation_failed");
  expect(await fault(first)).toBe("");
});

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
const anHourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString();
const within = (tag: string, from: RegExp, to: string) => ({
  change: (xml: string): string => {
    const changed = xml.replace(new RegExp(`<${tag}[ >].*?(?:/>|</${tag}>)`, "s"), (part) =>
      part.replace(from, to),
    );
    if (changed === xml) throw new Error(`nothing to change in ${tag}`);
    return changed;
  },
});

/** Changes, all of them signed by the right key. */
const CHANGES: Readonly<Record<string, SamlResponse>> = {
  "a wrong Recipient": { recipient: "https://another.example/acs" },
  "no Recipient": within("saml:SubjectConfirmationData", / Recipient="[^"]*"/, ""),
  "a wrong Destination": within(
    "samlp:Response",
    /Destination="[^"]*"/,
    'Destination="https://a.example"',
  ),
  "no Destination": within("samlp:Response", / Destination="[^"]*"/, ""),
  "no SubjectConfirmation": within("saml:SubjectConfirmation", /.*/s, ""),
  "no SubjectConfirmationData": within("saml:SubjectConfirmationData", /.*/s, ""),
  "a holder of a key": within("saml:SubjectConfirmation", /cm:bearer/, "cm:holder-of-key"),
  "a sender who vouches": within("saml:SubjectConfirmation", /cm:bearer/, "cm:sender-vouches"),
  "a failure": within("samlp:Status", /status:Success/, "status:AuthnFailed"),
  "no status": within("samlp:Status", /.*/s, ""),
  "an IssueInstant in an hour": within(
    "saml:Assertion",
    /IssueInstant="[^"]*"/,
    `IssueInstant="${inAnHour()}"`,
  ),
  "an IssueInstant an hour ago": within(
    "saml:Assertion",
    /IssueInstant="[^"]*"/,
    `IssueInstant="${anHourAgo()}"`,
  ),
  "no IssueInstant": within("saml:Assertion", / IssueInstant="[^"]*"/, ""),
  "a confirmation that begins in an hour": within(
    "saml:SubjectConfirmationData",
    /NotOnOrAfter/,
    `NotBefore="${inAnHour()}" NotOnOrAfter`,
  ),
  "a confirmation without an end": within(
    "saml:SubjectConfirmationData",
    / NotOnOrAfter="[^"]*"/,
    "",
  ),
  "a confirmation that is over": within(
    "saml:SubjectConfirmationData",
    /NotOnOrAfter="[^"]*"/,
    `NotOnOrAfter="${anHourAgo()}"`,
  ),
  "conditions that are over": within(
    "saml:Conditions",
    /NotOnOrAfter="[^"]*"/,
    `NotOnOrAfter="${anHourAgo()}"`,
  ),
  "conditions that begin in an hour": within(
    "saml:Conditions",
    /NotBefore="[^"]*"/,
    `NotBefore="${inAnHour()}"`,
  ),
  "no conditions": within("saml:Conditions", /.*/s, ""),
  "another audience": { audience: "https://another.example" },
  "no audience": within("saml:AudienceRestriction", /.*/s, ""),
  "another issuer": { change: (xml) => xml.replaceAll(idp.entityId, "https://unknown.example") },
  "another issuer in the assertion": {
    change: (xml) => xml.replace(/(<saml:Assertion.*?<saml:Issuer>)[^<]*/s, `$1${OTHER_TENANT}`),
  },
  "no issuer in the assertion": {
    change: (xml) => xml.replace(/(<saml:Assertion.*?)<saml:Issuer>[^<]*/s, `$1<saml:Issuer>`),
  },
  "a signature with SHA-1": { hash: "sha1" },
};

test("AUTH-31 both ways in make the same checks of a signed assertion", async () => {
  const held: string[] = [];
  for (const [what, response] of Object.entries(CHANGES)) {
    const errors = [
      await fault(await solicited(response)),
      await fault(await bed.unsolicited(response)),
    ];
    expect([what, errors.includes("")]).toEqual([what, false]);
    held.push(what);
  }
  expect(held).toHaveLength(25);
  expect(await fault(await solicited({ hash: "sha512" }))).toBe("");
  expect(await fault(await bed.unsolicited())).toBe("");
});

test("AUTH-31 tenants of one identity provider that share a key do not sign in as each other", async () => {
  expect(await fault(tenant.respond(await bed.loginUrl("tenant.example")))).toBe("");
  expect(await fault(tenant.respond(await bed.loginUrl("corp.example")))).toBe("validation_failed");
  // The unsigned response names this tenant, the signed assertion the other one.
  for (const form of [
    tenant.respond(await bed.loginUrl("corp.example")),
    {
      ...tenant.respond(await bed.loginUrl(), { unsolicited: "all" }),
      RelayState: "http://localhost:3000/in",
    },
  ]) {
    const renamed = xmlOf(form).replace(OTHER_TENANT, idp.entityId);
    expect(await fault(withXml(form, renamed))).toBe("validation_failed");
  }
});

const SIGNATURE = /<(?:ds:)?Signature.*<\/(?:ds:)?Signature>/s;

/** Returns a forged assertion and the signed one from which it was made, arranged in every way that ever confused a library. */
function wrappings(xml: string): Readonly<Record<string, string>> {
  const signed = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? "";
  const signature = SIGNATURE.exec(signed)?.[0] ?? "";
  const forged = signed
    .replace(SIGNATURE, "")
    .replace(/ ID="[^"]*"/, ' ID="_forged"')
    .replaceAll("sso@corp.example", "boss@corp.example");
  const signedBy = (one: string): string =>
    forged.replace("</saml:Issuer>", `</saml:Issuer>${one}`);
  const holding = signature.replace(
    /<\/((?:ds:)?)Signature>$/,
    (_all, ds: string) => `<${ds}Object>${signed}</${ds}Object></${ds}Signature>`,
  );
  const sameId = forged.replace("_forged", / ID="([^"]*)"/.exec(signed)?.[1] ?? "");
  return {
    "in front": xml.replace(signed, forged + signed),
    behind: xml.replace(signed, signed + forged),
    around: xml.replace(signed, forged.replace("</saml:Assertion>", `${signed}</saml:Assertion>`)),
    extension: xml.replace(signed, `<samlp:Extensions>${signed}</samlp:Extensions>${forged}`),
    "the other's signature": xml.replace(signed, signedBy(signature)),
    "in the signature's object": xml.replace(signed, signedBy(holding)),
    "the same id": xml.replace(signed, sameId + signed),
    "no signature": xml.replace(signed, forged),
  };
}

test("AUTH-31 a forged assertion beside, around or in front of a signed one signs nobody in", async () => {
  let tried = 0;
  for (const begin of [solicited, bed.unsolicited])
    for (const where of Object.keys(wrappings(xmlOf(await begin())))) {
      const form = await begin();
      const xml = wrappings(xmlOf(form))[where] ?? "";
      expect([where, await fault(withXml(form, xml))]).toEqual([where, "validation_failed"]);
      tried++;
    }
  expect(tried).toBe(16);
});

test("AUTH-31 metadata over 1 MB is refused after 1 MB, however much is sent", async () => {
  let sent = 0;
  const endless = createServer((_request, response) => {
    const part = Buffer.alloc(64 * 1024, "x");
    const send = (): void => {
      while (!response.destroyed && response.write(part)) sent += part.length;
    };
    response.on("drain", send);
    response.on("error", () => undefined);
    send();
  });
  endless.listen(0, "127.0.0.1");
  await once(endless, "listening");
  const { port } = endless.address() as AddressInfo;
  const answer = await bed.admin("POST", "", {
    type: "saml",
    metadata_url: `http://127.0.0.1:${port}/metadata`,
  });
  expect(await answer.json()).toMatchObject({ error_code: "saml_metadata_fetch_failed" });
  // The kernel's buffers contain further bytes.
  expect(sent).toBeLessThan(16 * 1024 * 1024);
  endless.closeAllConnections();
  endless.close();
});

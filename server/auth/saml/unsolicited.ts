/** Sign-ins that begin at the identity provider: what an assertion that answers no request has to have. */

import type { Profile } from "@node-saml/node-saml";
import type { Queryable } from "../../storage/port.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { sha256 } from "../secrets/secrets.ts";
import { all, parse } from "./metadata.ts";
import { serviceAddress } from "./service.ts";

const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";

const refused = (): AuthFault =>
  new AuthFault("validation_failed", "SAML Assertion is not valid", { status: 403 });

/** The identity provider that a response names, unchecked: its keys check the response then. @throws AuthFault validation_failed */
export async function issuerOf(response: string): Promise<string> {
  const xml = Buffer.from(response, "base64").toString("utf8");
  if (/<!DOCTYPE/i.test(xml)) throw refused();
  const root = await parse(xml).catch(() => {
    throw refused();
  });
  return (all(root, ASSERTION, "Issuer")[0]?.textContent ?? "").trim();
}

/** How old an assertion may be, and by how much clocks may differ. */
const MAX_AGE_MS = 600_000;
const SKEW_MS = 30_000;

/**
 * The id of a verified assertion that was made for nobody's request and for this address, a short time ago.
 * An assertion that was made for a request is not taken without it: somebody may have intercepted it.
 * @throws AuthFault validation_failed
 */
export async function checkUnsolicited(auth: Auth, profile: Profile): Promise<string> {
  const root = await parse(profile.getAssertionXml?.() ?? "").catch(() => {
    throw refused();
  });
  const assertion = all(root, ASSERTION, "Assertion")[0];
  const id = assertion?.getAttribute("ID") ?? "";
  const now = auth.clock();
  const age = now - Date.parse(assertion?.getAttribute("IssueInstant") ?? "");
  const confirmations = all(root, ASSERTION, "SubjectConfirmationData");
  const recipient = `${serviceAddress(auth)}/sso/saml/acs`;
  const isFor = confirmations.some(
    (one) =>
      one.getAttribute("Recipient") === recipient &&
      Date.parse(one.getAttribute("NotOnOrAfter") ?? "") > now - SKEW_MS,
  );
  const answers = confirmations.some((one) => (one.getAttribute("InResponseTo") ?? "") !== "");
  const isFresh = age >= -SKEW_MS && age <= MAX_AGE_MS + SKEW_MS;
  if (id === "" || !isFor || answers || !isFresh) throw refused();
  return id;
}

/** An assertion signs in once. @throws AuthFault validation_failed */
export async function useOnce(auth: Auth, tx: Queryable, id: string): Promise<void> {
  const first = await tx.query(
    `insert into auth_counters (key, count, until_at) values ($1, 1, $2)
     on conflict (key) do nothing returning key`,
    [`saml ${sha256(id)}`, timestamp(auth, MAX_AGE_MS + 2 * SKEW_MS)],
  );
  if (first.rows.length === 0) throw refused();
}

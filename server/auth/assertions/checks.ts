/**
 * Checks a response of an identity provider beyond its signature, wherever the sign-in began. Pure: `root` is the
 * response as it was received, `assertion` the assertion in the form that was signed.
 */

/** The part of the DOM that is used here. */
export interface Element {
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<unknown>;
  getAttribute(name: string): string | null;
}

export interface Expected {
  readonly entityId: string;
  /** The address of this service that receives assertions. */
  readonly recipient: string;
  /** The request that is answered; null for a sign-in that began at the identity provider. */
  readonly requestId: string | null;
  /** The time in milliseconds since 1970. */
  readonly now: number;
}

const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";
const ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion";
const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";

/** Greatest age of an assertion in milliseconds. */
export const MAX_AGE_MS = 600_000;
/** Greatest difference between the clocks in milliseconds. */
export const SKEW_MS = 30_000;

/** Returns the fault of the response; undefined when it may sign in. */
export function responseFault(
  root: Element,
  assertion: Element,
  expected: Expected,
): string | undefined {
  return outerFault(root, expected) ?? assertionFault(assertion, expected);
}

function outerFault(
  root: Element,
  { entityId, recipient, requestId }: Expected,
): string | undefined {
  const status = children(root, PROTOCOL, "Status")[0];
  const code = status === undefined ? undefined : children(status, PROTOCOL, "StatusCode")[0];
  if (code?.getAttribute("Value") !== SUCCESS) return "the status is no success";
  if (root.getAttribute("Destination") !== recipient) return "the destination is another one";
  if (!answers(root, requestId)) return "the response answers another request";
  const issuers = children(root, ASSERTION, "Issuer");
  if (issuers.some((issuer) => textOf(issuer) !== entityId)) return "the response's issuer differs";
  return undefined;
}

function assertionFault(assertion: Element, expected: Expected): string | undefined {
  if ((assertion.getAttribute("ID") ?? "") === "") return "the assertion has no id";
  const issuers = children(assertion, ASSERTION, "Issuer");
  if (issuers.length !== 1 || textOf(issuers[0]) !== expected.entityId) return "the issuer differs";
  const age = expected.now - Date.parse(assertion.getAttribute("IssueInstant") ?? "");
  if (!(age >= -SKEW_MS && age <= MAX_AGE_MS + SKEW_MS)) return "the assertion is not fresh";
  const subjects = children(assertion, ASSERTION, "Subject");
  const confirmations = subjects.flatMap((one) => children(one, ASSERTION, "SubjectConfirmation"));
  if (!confirmations.some((one) => isConfirmed(one, expected)))
    return "no confirmation of the subject is for the bearer, this service, this request and now";
  return undefined;
}

function isConfirmed(confirmation: Element, { recipient, requestId, now }: Expected): boolean {
  if (confirmation.getAttribute("Method") !== BEARER) return false;
  return children(confirmation, ASSERTION, "SubjectConfirmationData").some((data) => {
    const begins = data.getAttribute("NotBefore") ?? "";
    return (
      data.getAttribute("Recipient") === recipient &&
      Date.parse(data.getAttribute("NotOnOrAfter") ?? "") > now - SKEW_MS &&
      (begins === "" || Date.parse(begins) <= now + SKEW_MS) &&
      answers(data, requestId)
    );
  });
}

/**
 * Whether an element answers the request. A response without a request must name none: otherwise it would be another
 * browser's answer that was intercepted.
 */
function answers(element: Element, requestId: string | null): boolean {
  return (element.getAttribute("InResponseTo") ?? "") === (requestId ?? "");
}

/** Returns the identity provider that a response names, unchecked: its keys check the response afterwards. */
export function issuerOf(root: Element): string {
  const assertions = children(root, ASSERTION, "Assertion");
  return textOf([root, ...assertions].flatMap((one) => children(one, ASSERTION, "Issuer"))[0]);
}

function children(parent: Element, space: string, name: string): Element[] {
  return Array.from(parent.childNodes as ArrayLike<Element>).filter(
    (child) => child.localName === name && child.namespaceURI === space,
  );
}

function textOf(element: Element | undefined): string {
  return (element?.textContent ?? "").trim();
}

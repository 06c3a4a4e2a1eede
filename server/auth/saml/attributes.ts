/** Renames an assertion's attributes as the operator configured: `{ keys: { email: { name | names | default | array } } }`. Pure. */

import type { Fields } from "../http/request.ts";

/** The attributes that usually contain the email address. */
const EMAIL_NAMES = [
  "urn:oid:0.9.2342.19200300.100.1.3",
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
  "http://schemas.xmlsoap.org/claims/EmailAddress",
  "mail",
  "Mail",
  "email",
  "Email",
];

const EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

/** Returns the attributes by the operator's names; an email address is found without a rule. */
export function mapAttributes(mapping: Fields, profile: Readonly<Record<string, unknown>>): Fields {
  const attributes = isRecord(profile["attributes"])
    ? { ...profile, ...profile["attributes"] }
    : profile;
  const keys = isRecord(mapping["keys"]) ? mapping["keys"] : {};
  const mapped = new Map<string, unknown>();
  for (const [key, rule] of Object.entries(keys)) {
    const value = isRecord(rule) ? readAttribute(rule, attributes) : undefined;
    if (value !== undefined) mapped.set(key, value);
  }
  if (!mapped.has("email")) {
    const email = firstText(attributes, EMAIL_NAMES) ?? nameAsEmail(profile);
    if (email !== undefined) mapped.set("email", email);
  }
  return Object.fromEntries(mapped);
}

function readAttribute(rule: Fields, attributes: Fields): unknown {
  const names = [rule["name"], ...(Array.isArray(rule["names"]) ? rule["names"] : [])];
  const wanted = names.filter((name): name is string => typeof name === "string");
  for (const name of wanted) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (value === undefined || value === null) continue;
    if (rule["array"] === true) return (Array.isArray(value) ? value : [value]).map(String);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === "string") return first;
  }
  return rule["default"];
}

function firstText(attributes: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === "string" && first.includes("@")) return first;
  }
  return undefined;
}

function nameAsEmail(profile: Fields): string | undefined {
  const name = profile["nameID"];
  const isEmail = profile["nameIDFormat"] === EMAIL_FORMAT || String(name).includes("@");
  return isEmail && typeof name === "string" ? name : undefined;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

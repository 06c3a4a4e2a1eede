/** A request as the routes receive it, and the response that they return. Every value from outside is parsed here. */

import { AuthFault } from "./errors.ts";
import type { AuthSettings } from "../settings/settings.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface AuthRequest {
  readonly method: string;
  /** The JSON body, or the fields of a form; empty when there was no body. */
  readonly body: Fields;
  readonly query: Fields;
  readonly params: Fields;
  /** The client's address. */
  readonly ip: string;
  /**
   * Whether the client is on this machine and addresses it as such: neither a proxy's header nor a foreign domain can
   * claim that.
   */
  readonly local: boolean;
  readonly userAgent: string;
  /** The bearer token, if any. */
  readonly bearer: string | undefined;
  /** The text after `Basic` in the header Authorization, if any. */
  readonly basic: string | undefined;
  /** The header Origin, which browsers send and no page can change. */
  readonly origin: string | undefined;
}

export interface AuthResponse {
  readonly status?: number;
  readonly json?: unknown;
  /** The target of a redirect, which has status 303 unless another one is given. */
  readonly location?: string;
  readonly page?: { readonly type: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a response of status 200 with a JSON body. */
export const ok = (json: unknown): AuthResponse => ({ json });

/** A response of status 200 with `{}`. */
export const empty: AuthResponse = ok({});

export const noContent: AuthResponse = { status: 204 };

/** Reads a text; undefined when it is absent, null or empty. @throws AuthFault validation_failed for anything else */
export function textField(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string")
    throw new AuthFault("validation_failed", `${name} must be a string`);
  if (value.includes("\0"))
    throw new AuthFault("validation_failed", `${name} contains a null character`);
  return value;
}

/** Reads a text that must be present. @throws AuthFault validation_failed */
export function requiredText(fields: Fields, name: string): string {
  const value = textField(fields, name);
  if (value === undefined) throw new AuthFault("validation_failed", `${name} is required`);
  return value;
}

/** Reads a boolean, or its name as a text. @throws AuthFault validation_failed */
export function flagField(fields: Fields, name: string): boolean | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new AuthFault("validation_failed", `${name} must be a boolean`);
}

/** Reads a JSON object. @throws AuthFault validation_failed */
export function recordField(fields: Fields, name: string): Fields | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value))
    throw new AuthFault("validation_failed", `${name} must be an object`);
  return value as Fields;
}

/** Reads a list of texts. @throws AuthFault validation_failed */
export function textsField(fields: Fields, name: string): readonly string[] | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || !value.every((one): one is string => typeof one === "string"))
    throw new AuthFault("validation_failed", `${name} must be a list of strings`);
  return value;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID, of any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Reads a parameter of the path as the client wrote it. */
export function pathParam(request: AuthRequest, name: string): string {
  const value = request.params[name];
  return typeof value === "string" ? value : "";
}

/** Reads a parameter of the path in lower case. @throws AuthFault validation_failed with status 404, as GoTrue does */
export function uuidParam(request: AuthRequest, name: string): string {
  const value = pathParam(request, name);
  if (!isUuid(value))
    throw new AuthFault("validation_failed", `${name} must be an UUID`, { status: 404 });
  return value.toLowerCase();
}

const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Reads an email address as it is stored: in lower case. @throws AuthFault validation_failed */
export function parseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email === "") throw new AuthFault("validation_failed", "An email address is required");
  if (email.length > 255) throw new AuthFault("validation_failed", "An email address is too long");
  if (!EMAIL.test(email))
    throw new AuthFault("validation_failed", "Unable to validate email address: invalid format");
  return email;
}

/** Reads a phone number as it is stored: the digits of E.164 without the plus. @throws AuthFault validation_failed */
export function parsePhone(text: string): string {
  const phone = text.trim().replace(/^\+/, "").replaceAll(" ", "");
  if (!/^[1-9]\d{1,14}$/.test(phone))
    throw new AuthFault("validation_failed", "Invalid phone number format (E.164 required)");
  return phone;
}

/** The channel of a text message. */
export type Channel = "sms" | "whatsapp";

/**
 * Reads the channel that a body names; without one, sms. The webhook and Twilio can send by WhatsApp. @throws
 * AuthFault validation_failed
 */
export function parseChannel(settings: AuthSettings, body: Fields): Channel {
  const channel = textField(body, "channel") ?? "sms";
  if (channel === "sms") return channel;
  const sendsByWhatsApp =
    settings.GOTRUE_HOOK_SEND_SMS_ENABLED || settings.GOTRUE_SMS_PROVIDER === "twilio";
  if (channel === "whatsapp" && sendsByWhatsApp) return channel;
  throw new AuthFault(
    "validation_failed",
    "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
  );
}

/** Returns the address at which the client wants a link or a sign-in to end, unchecked. */
export function requestedRedirect(request: AuthRequest): string | undefined {
  return textField(request.query, "redirect_to") ?? textField(request.body, "redirect_to");
}

/** A request as the routes see it, whatever it was, and what they answer. The one door for untrusted values. */

import { AuthFault } from "./errors.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface AuthRequest {
  readonly method: string;
  /** The JSON body, or what a form sent; empty when there was none. */
  readonly body: Fields;
  readonly query: Fields;
  readonly params: Fields;
  readonly ip: string;
  /** Asked from this machine, under one of its own names: no proxy's header and no foreign page's name can say so. */
  readonly local: boolean;
  readonly userAgent: string;
  /** The bearer token, if any. */
  readonly bearer: string | undefined;
}

export interface Answer {
  readonly status?: number;
  readonly json?: unknown;
  /** A redirect, by 303 unless a status is given. */
  readonly location?: string;
  readonly page?: { readonly type: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (json: unknown): Answer => ({ json });
export const nothing: Answer = { status: 204 };

/** Undefined when it is not there, null or empty. @throws AuthFault validation_failed when it is no text */
export function textField(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string")
    throw new AuthFault("validation_failed", `${name} must be a string`);
  if (value.includes("\0"))
    throw new AuthFault("validation_failed", `${name} holds a null character`);
  return value;
}

/** @throws AuthFault validation_failed */
export function requiredText(fields: Fields, name: string): string {
  const value = textField(fields, name);
  if (value === undefined) throw new AuthFault("validation_failed", `${name} is required`);
  return value;
}

/** @throws AuthFault validation_failed */
export function flagField(fields: Fields, name: string): boolean | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new AuthFault("validation_failed", `${name} must be a boolean`);
}

/** @throws AuthFault validation_failed */
export function recordField(fields: Fields, name: string): Fields | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value))
    throw new AuthFault("validation_failed", `${name} must be an object`);
  return value as Fields;
}

/** @throws AuthFault validation_failed */
export function textsField(fields: Fields, name: string): readonly string[] | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || !value.every((one): one is string => typeof one === "string"))
    throw new AuthFault("validation_failed", `${name} must be a list of strings`);
  return value;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A path's parameter as it came. */
export function pathParam(request: AuthRequest, name: string): string {
  const value = request.params[name];
  return typeof value === "string" ? value : "";
}

/** A path's parameter. @throws AuthFault validation_failed */
export function uuidParam(request: AuthRequest, name: string): string {
  const value = pathParam(request, name);
  if (!isUuid(value)) throw new AuthFault("validation_failed", `${name} must be an UUID`);
  return value.toLowerCase();
}

/** Bytes of a user's own data, which travels in every access token. */
const MAX_METADATA_BYTES = 6 * 1024;

/** Keys with null go, others come or change. @throws AuthFault validation_failed when it becomes too large */
export function mergeMetadata(current: Fields, change: Fields | undefined): Fields {
  if (change === undefined) return current;
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  const result = Object.fromEntries(merged);
  if (Buffer.byteLength(JSON.stringify(result)) > MAX_METADATA_BYTES)
    throw new AuthFault("validation_failed", "User data is too large: at most 6 KB fit");
  return result;
}

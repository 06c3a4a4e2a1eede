/** The messages of the channel, and the door for each: unknown in, a value or a reason out. */

import type { Drawing } from "./drawing.ts";
import { isRecord } from "./json.ts";

/** The broadcast events, by name. */
export const EVENTS = { update: "canvas-update", live: "canvas-live" } as const;

/** Event canvas-update: a drawing, whole or partial. */
export interface CanvasUpdate {
  readonly json: Drawing;
  readonly clientId: string;
  /** Of the sender's whole board (see `digest`). */
  readonly digest?: string;
}

/** An update whose drawing has not come through its door yet: `parseDrawing` takes `json`. */
export interface ReceivedUpdate {
  readonly json: unknown;
  readonly clientId: string;
  readonly digest?: string;
}

/** What an online client tracks as its presence. */
export interface PresenceMeta {
  /** ISO timestamp. */
  readonly online_at: string;
  /** It understands partial drawings. */
  readonly partial?: true;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

const CLIENT_ID = /^[A-Za-z0-9_-]{1,64}$/;
const DIGEST = /^[a-z0-9.]{1,32}$/;
const ISO_DATE = /^\d{4}-\d\d-\d\dT[0-9:.]{5,18}(?:Z|[-+]\d\d:?\d\d)$/;

/** The envelope of an update. Never throws. */
export function parseUpdate(input: unknown): Parsed<ReceivedUpdate> {
  if (!isRecord(input)) return fail("not an object");
  const { json, clientId, digest } = input;
  if (!isClientId(clientId)) return fail("clientId is malformed");
  if (json === undefined) return fail("json is missing");
  if (digest === undefined) return { ok: true, value: { json, clientId } };
  if (typeof digest !== "string" || !DIGEST.test(digest)) return fail("digest is malformed");
  return { ok: true, value: { json, clientId, digest } };
}

/** Never throws. */
export function parsePresence(input: unknown): Parsed<PresenceMeta> {
  if (!isRecord(input)) return fail("not an object");
  const { online_at, partial } = input;
  if (typeof online_at !== "string" || !ISO_DATE.test(online_at)) {
    return fail("online_at is malformed");
  }
  return { ok: true, value: partial === true ? { online_at, partial } : { online_at } };
}

export function isClientId(value: unknown): value is string {
  return typeof value === "string" && CLIENT_ID.test(value);
}

/** A refusal. */
export function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

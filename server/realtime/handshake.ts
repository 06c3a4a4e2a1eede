/** The upgrade request: what it asks for, and the HTTP answer when it is refused. */

import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import { STATUS_CODES } from "node:http";
import { HANDSHAKE_FAULTS } from "./faults.ts";
import { parseVersion } from "./wire.ts";
import type { Version } from "./wire.ts";

export const WEBSOCKET_PATH = "/realtime/v1/websocket";

interface HandshakeFault {
  readonly status: number;
  readonly error: string;
}

type Handshake =
  | { readonly ok: true; readonly version: Version; readonly apiKey: string }
  | { readonly ok: false; readonly fault: HandshakeFault };

/** `target` is the request's path with its query; hostile. */
export function parseHandshake(target: string, headers: IncomingHttpHeaders): Handshake {
  const question = target.indexOf("?");
  const path = question < 0 ? target : target.slice(0, question);
  if (path !== WEBSOCKET_PATH) return { ok: false, fault: HANDSHAKE_FAULTS.notFound };
  const query = new URLSearchParams(question < 0 ? "" : target.slice(question + 1));
  const version = parseVersion(query.get("vsn"));
  if (version === undefined) return { ok: false, fault: HANDSHAKE_FAULTS.version };
  const header = headers["x-api-key"];
  return {
    ok: true,
    version,
    apiKey: query.get("apikey") ?? (typeof header === "string" ? header : ""),
  };
}

/** Answers with JSON and closes. A browser sees only that the handshake failed. */
export function refuseHandshake(socket: Duplex, { status, error }: HandshakeFault): void {
  const body = JSON.stringify({ error });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
      "Connection: close",
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
    () => socket.destroy(),
  );
}

/**
 * The address of a client behind `proxies` trusted proxies: each of them appends the address that it
 * saw to X-Forwarded-For, so what counts is the entry that the outermost one wrote.
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | string[] | undefined,
  proxies: number,
): string {
  const peer = remote ?? "";
  if (proxies === 0 || forwardedFor === undefined) return peer;
  const hops = [forwardedFor]
    .flat()
    .join(",")
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  return hops[Math.max(0, hops.length - proxies)] ?? peer;
}

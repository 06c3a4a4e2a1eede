/** Parses the upgrade request, and sends the HTTP response when it is refused. */

import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { HANDSHAKE_FAULTS } from "../payloads/faults.ts";
import { parseVersion, type Version } from "../wire/wire.ts";

export const WEBSOCKET_PATH = "/realtime/v1/websocket";

interface HandshakeFault {
  readonly status: number;
  readonly error: string;
}

type Handshake =
  | { readonly ok: true; readonly version: Version; readonly apiKey: string }
  | { readonly ok: false; readonly fault: HandshakeFault };

/** Parses the handshake. `target` is the request's path with its query, which may be hostile. */
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

/** Responds with JSON and closes the socket. A browser only notices that the handshake failed. */
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

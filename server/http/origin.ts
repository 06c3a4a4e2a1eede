/** The origins of this server: the one that the browser requested, and that of the address to listen on. */

import type { FastifyRequest } from "fastify";

/** Matches a host with an optional port: a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Returns the origin of an address to listen on: an IPv6 address stands in brackets. */
export function listeningOrigin(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Returns `http://host:port` from the Host header, or null when that is missing or not a host. X-Forwarded-Proto and
 * X-Forwarded-Host count only as far as TRUST_PROXY trusts them (Fastify's `trustProxy`).
 */
export function requestOrigin(request: FastifyRequest): string | null {
  const host = request.host;
  if (!HOST.test(host)) return null;
  return `${request.protocol === "https" ? "https" : "http"}://${host}`;
}

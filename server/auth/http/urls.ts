/** The addresses in links and tokens. They come from settings, never from a request's headers. */

import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { AuthSettings } from "../settings/settings.ts";

export const API_PATH = "/auth/v1";

export interface Urls {
  /** The page's address, without a slash at its end. */
  readonly site: () => string;
  /** The auth API's address for clients elsewhere, which ends in /auth/v1. */
  readonly api: () => string;
}

/** Makes the addresses. Without a setting they are those at which the server listens, known once it does, with BASE_PATH. */
export function createUrls(app: FastifyInstance, settings: AuthSettings, basePath: string): Urls {
  const own = (): string => listeningOn(app.server.address()) + basePath;
  const site = (): string => settings.GOTRUE_SITE_URL ?? own();
  return {
    site,
    api() {
      const outside =
        settings.API_EXTERNAL_URL ?? (isLocal(site()) ? own() : new URL(site()).origin + basePath);
      return outside.endsWith(API_PATH) ? outside : `${outside}${API_PATH}`;
    },
  };
}

/** Whether a page is on this machine. It may be a development server's, whose address is not this server's. */
function isLocal(site: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(site).hostname);
}

function listeningOn(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") return "http://localhost";
  const everywhere = ["0.0.0.0", "::"].includes(address.address);
  const host = everywhere
    ? "localhost"
    : address.family === "IPv6"
      ? `[${address.address}]`
      : address.address;
  return `http://${host}:${address.port}`;
}

/** Returns the link of a mail. `path` is an operator's: a whole URL, or a path with or without /auth/v1. */
export function mailLink(
  urls: Urls,
  path: string,
  values: Readonly<Record<string, string>>,
): string {
  const api = urls.api();
  const root = api.slice(0, -API_PATH.length);
  const full = /^https?:\/\//.test(path)
    ? path
    : path.startsWith(API_PATH)
      ? `${root}${path}`
      : `${api}/${path.replace(/^\/+/, "")}`;
  const link = new URL(full);
  for (const [name, value] of Object.entries(values)) link.searchParams.set(name, value);
  return link.href;
}

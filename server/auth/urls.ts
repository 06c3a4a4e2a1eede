/** The addresses that links and tokens carry. They come from settings, never from a request's headers. */

import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Urls } from "./context.ts";
import type { AuthSettings } from "./settings/settings.ts";

export const API_PATH = "/auth/v1";

/** Without a setting: the address that the server listens on, known once it does. */
export function createUrls(app: FastifyInstance, settings: AuthSettings): Urls {
  const own = (): string => listeningOn(app.server.address());
  const site = (): string => settings.GOTRUE_SITE_URL ?? own();
  return {
    site,
    api() {
      const outside =
        settings.API_EXTERNAL_URL ?? (isLocal(site()) ? own() : new URL(site()).origin);
      return outside.endsWith(API_PATH) ? outside : `${outside}${API_PATH}`;
    },
  };
}

/** A page on this machine, perhaps of a development server, says nothing of where this server is. */
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

/** The link in a mail: operators' paths may begin with /auth/v1 or leave it out. */
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

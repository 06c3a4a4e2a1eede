/** Serves everything below a path, where a proxy serves other things beside this server. */

import type { Server } from "node:http";

/**
 * Removes the path from the addresses of handshakes, as Fastify's `rewriteUrl` does for requests: every route is
 * found with it, behind a proxy that leaves it, and without it, behind one that strips it.
 */
export function stripHandshakes(server: Server, basePath: string): void {
  // This listener precedes all others.
  server.prependListener("upgrade", (request) => {
    request.url = withoutBasePath(request.url, basePath);
  });
}

/**
 * Returns the address without the path, such as `/board`; an address with another path is returned unchanged. An
 * empty path removes nothing.
 */
export function withoutBasePath(url = "/", basePath = ""): string {
  if (basePath === "" || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest.startsWith("/")) return rest;
  // The path without a slash at its end is the page as well.
  return rest === "" || rest.startsWith("?") ? `/${rest}` : url;
}

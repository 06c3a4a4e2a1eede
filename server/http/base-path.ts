/** The path below which browsers find everything, where a proxy serves other things beside this server. */

import type { Server } from "node:http";

/**
 * Takes the path off the addresses of handshakes, as Fastify's `rewriteUrl` does for requests: every route is found
 * with it, behind a proxy that leaves it, and without it, behind one that strips it.
 */
export function stripHandshakes(server: Server, basePath: string): void {
  // Before everybody else who listens.
  server.prependListener("upgrade", (request) => {
    request.url = withoutBasePath(request.url, basePath);
  });
}

/** The address without the path, such as `/board`; one of another path is returned as it is. An empty path takes nothing off. */
export function withoutBasePath(url = "/", basePath = ""): string {
  if (basePath === "" || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest.startsWith("/")) return rest;
  // Without a slash at its end it is the page as well.
  return rest === "" || rest.startsWith("?") ? `/${rest}` : url;
}

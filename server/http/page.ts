/** The whiteboard page, its files, and the page of a path that does not exist. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../settings/settings.ts";
import { createFileStore, registerFiles } from "./files.ts";
import { createIndexPage } from "./index-page.ts";
import { requestOrigin } from "./origin.ts";
import { contentSecurityPolicy, PAGE_HEADERS } from "./security.ts";

/** Matches the paths of APIs, where an unknown path gets JSON. */
const API_PATH =
  /^\/(?:rest|auth|realtime|host|storage|functions|graphql|assets|\.well-known)(?:\/|$)/;

export interface Page {
  /** False when the folder of the built page is empty, which the page then says. */
  readonly built: boolean;
  /** Sends the response to a path that no route matched: 404, with the page for a browser. */
  notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** Serves the page under `/`, with the product's name as its title, and its files. */
export async function registerPage(
  app: FastifyInstance,
  settings: Settings,
  webDir: string,
): Promise<Page> {
  const index = createIndexPage(webDir, settings);
  const sendIndex = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const origin = requestOrigin(request);
    const backends = settings.supabase === null ? [origin] : [settings.supabase.url];
    reply.header(
      "content-security-policy",
      contentSecurityPolicy(
        backends.filter((one) => one !== null),
        settings.frameAncestors,
      ),
    );
    return index.send(request, reply, origin);
  };
  app.get("/", (request, reply) => {
    const [path, query = ""] = request.originalUrl.split(/(?=\?)/);
    // The service worker's scope ends with the slash.
    if (settings.basePath !== "" && path === settings.basePath)
      return reply.redirect(`${path}/${query}`, 301);
    return sendIndex(request, reply);
  });
  registerManifest(app, settings, webDir);
  if (!settings.offline) registerRemover(app);
  registerFiles(app, webDir, [MANIFEST, ...(settings.offline ? [] : [WORKER])]);
  return {
    built: index.isBuilt,
    notFound: (request, reply) => {
      reply.code(404);
      return wantsPage(request) ? sendIndex(request, reply) : reply.send(notFoundBody(request));
    },
  };
}

const MANIFEST = "manifest.webmanifest";
const WORKER = "sw.js";

/** Registers the manifest, which a browser needs to install the page as an app, with the product's name and path. */
function registerManifest(
  app: FastifyInstance,
  { productName, basePath }: Pick<Settings, "productName" | "basePath">,
  webDir: string,
): void {
  const store = createFileStore(webDir);
  app.get(`/${MANIFEST}`, async (_request, reply) => {
    const file = store.read(MANIFEST);
    if (file === undefined) return reply.callNotFound();
    const manifest = JSON.parse(file.bytes.toString("utf8")) as Readonly<Record<string, unknown>>;
    const home = `${basePath}/`;
    const own = {
      name: productName,
      short_name: productName,
      id: home,
      start_url: home,
      scope: home,
    };
    return reply
      .headers({ ...PAGE_HEADERS, "cache-control": "no-cache" })
      .type("application/manifest+json; charset=utf-8")
      .send(JSON.stringify({ ...manifest, ...own }));
  });
}

/** The script in place of the page's service worker: it removes the one that a browser has, and what it stored. */
const REMOVER = `const remove = async () => {
  const own = "inkpool " + new URL("assets/", location.href).pathname;
  for (const name of await caches.keys()) if (name.startsWith(own)) await caches.delete(name);
  await registration.unregister();
};
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(remove()));
`;

function registerRemover(app: FastifyInstance): void {
  app.get(`/${WORKER}`, async (_request, reply) =>
    reply
      .headers({ ...PAGE_HEADERS, "cache-control": "no-cache" })
      .type("text/javascript; charset=utf-8")
      .send(REMOVER),
  );
}

/**
 * Returns the address with the percent signs of its path encoded where the path cannot be decoded, such as `/100%`, so
 * that it is any other path, and no error of the router. Addresses of APIs are returned unchanged.
 */
export function withReadablePath(url: string): string {
  const [path = ""] = url.split("?", 1);
  if (isReadable(path) || API_PATH.test(path)) return url;
  return path.replaceAll("%", "%25") + url.slice(path.length);
}

function isReadable(path: string): boolean {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  if (API_PATH.test(request.url.split("?")[0] ?? "")) return false;
  const accept = request.headers.accept;
  return accept === undefined || /text\/html|text\/\*|\*\/\*/.test(accept);
}

function notFoundBody(request: FastifyRequest): Record<string, string> {
  return {
    code: "not_found",
    message: `No such path: ${request.method} ${request.url.slice(0, 200)}`,
  };
}

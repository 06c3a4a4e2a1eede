/** The whiteboard page, its files, and the page of a path that does not exist. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../settings.ts";
import { registerFiles } from "./files.ts";
import { createIndexPage } from "./index-page.ts";
import { requestOrigin } from "./origin.ts";
import { contentSecurityPolicy } from "./security.ts";

/** Paths of APIs: a path that does not exist there gets JSON. */
const API_PATH = /^\/(?:rest|auth|realtime|storage|functions|graphql|assets|\.well-known)(?:\/|$)/;

export interface Page {
  /** False when the folder of the built page is empty: the server then says so on the page. */
  readonly built: boolean;
  /** The response to a path that no route took: 404, with the page for a browser. */
  notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** Serves the page under `/`, with the product's name as its title, and its files. */
export async function registerPage(
  app: FastifyInstance,
  settings: Settings,
  webDir: string,
): Promise<Page> {
  const index = createIndexPage(webDir, settings.productName);
  const sendIndex = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const origin = requestOrigin(request);
    const backends = settings.supabase === null ? [origin] : [settings.supabase.url];
    reply.header(
      "content-security-policy",
      contentSecurityPolicy(backends.filter((one) => one !== null)),
    );
    return index.send(request, reply);
  };
  app.get("/", sendIndex);
  await registerFiles(app, webDir);
  return {
    built: index.isBuilt,
    notFound: (request, reply) => {
      reply.code(404);
      return wantsPage(request) ? sendIndex(request, reply) : reply.send(notFoundBody(request));
    },
  };
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

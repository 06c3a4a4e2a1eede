/** The whiteboard page, its files, and the page of a path that does not exist. */

import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Settings } from "../settings.ts";
import { chooseEncoding, readWebFiles, webFile } from "./files.ts";
import type { WebFile } from "./files.ts";
import { requestOrigin } from "./origin.ts";
import { PAGE_HEADERS, contentSecurityPolicy } from "./security.ts";

/** Paths of APIs: what is missing there is told in JSON. */
const API_PATH = /^\/(?:rest|auth|realtime|storage|functions|graphql|assets|\.well-known)(?:\/|$)/;

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title></title></head>
<body><p>The page is not built yet. Run <code>npm start</code>.</p></body></html>`;

export interface Page {
  /** False when the folder of the built page is empty: the server then says so on the page. */
  readonly built: boolean;
  /** Answers a path that no route took. */
  notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** Serves the page under `/`, with the product's name as its title. */
export function registerPage(app: FastifyInstance, settings: Settings, webDir: string): Page {
  const files = readWebFiles(webDir);
  const source = files.get("/index.html");
  const index = titled(source?.bodies.identity.toString("utf8") ?? NOT_BUILT, settings.productName);

  const sendIndex = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const origin = requestOrigin(request);
    const backends = settings.supabase === null ? [origin] : [settings.supabase.url];
    reply.header(
      "content-security-policy",
      contentSecurityPolicy(backends.filter((one) => one !== null)),
    );
    return sendFile(request, reply, index);
  };

  app.get("/", sendIndex);
  for (const [path, file] of files)
    if (path !== "/index.html") app.get(path, (request, reply) => sendFile(request, reply, file));

  return {
    built: source !== undefined,
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

function sendFile(request: FastifyRequest, reply: FastifyReply, file: WebFile): FastifyReply {
  const encoding = chooseEncoding(file, request.headers["accept-encoding"]);
  const tag = `"${file.tag}${encoding === "identity" ? "" : `-${encoding}`}"`;
  reply.headers({
    ...PAGE_HEADERS,
    "content-type": file.contentType,
    "cache-control": file.immutable ? "public, max-age=31536000, immutable" : "no-cache",
    etag: tag,
    vary: "accept-encoding",
  });
  if (reply.statusCode === 200 && matches(request.headers["if-none-match"], tag))
    return reply.code(304).send();
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.send(file.bodies[encoding] ?? file.bodies.identity);
}

function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((one) => one.trim().replace(/^W\//, "") === tag);
}

function titled(html: string, productName: string): WebFile {
  const title = `<title>${escapeHtml(productName)}</title>`;
  // A function as the replacement: a name with `$&` in it means itself.
  const identity = Buffer.from(
    html.replace(/<title>[^<]*<\/title>/i, () => title),
    "utf8",
  );
  const br = brotliCompressSync(identity);
  return webFile("/index.html", { identity, br, gzip: gzipSync(identity, { level: 9 }) });
}

function escapeHtml(text: string): string {
  const named: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => named[character] ?? character);
}

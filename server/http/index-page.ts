/** The page's HTML with the product's name as its title, compressed once for each build. */

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { acceptedCodings, type Coding } from "./files.ts";
import { PAGE_HEADERS } from "./security.ts";

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title></title></head>
<body><p>The page is not built yet. Run <code>npm start</code>.</p></body></html>`;

interface Made {
  /** Of index.html, in milliseconds since 1970; null when there is none. */
  readonly modifiedAt: number | null;
  /** A strong validator without its quotes; each coding adds its own suffix. */
  readonly tag: string;
  readonly bodies: Readonly<Record<Coding | "identity", Buffer>>;
}

export interface IndexPage {
  /** False when the folder has no index.html: the page then says so. */
  readonly isBuilt: boolean;
  /** Sends the page with the reply's status. With 200, a browser that has the page already gets 304. */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** @param webDir the folder of the built page; a new build in it is noticed by its time */
export function createIndexPage(webDir: string, productName: string): IndexPage {
  const path = join(webDir, "index.html");
  const modifiedAt = (): number | null =>
    statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  let made = make(path, modifiedAt(), productName);
  return {
    get isBuilt() {
      return made.modifiedAt !== null;
    },
    send: (request, reply) => {
      const now = modifiedAt();
      // While a build replaces the folder there is none: the page stays as it was.
      if (now !== null && now !== made.modifiedAt) made = make(path, now, productName);
      return sendMade(made, request, reply);
    },
  };
}

function make(path: string, modifiedAt: number | null, productName: string): Made {
  const html = modifiedAt === null ? NOT_BUILT : readFileSync(path, "utf8");
  const title = `<title>${escapeHtml(productName)}</title>`;
  // A function as the replacement: a name with `$&` in it means itself.
  const identity = Buffer.from(
    html.replace(/<title>[^<]*<\/title>/i, () => title),
    "utf8",
  );
  return {
    modifiedAt,
    tag: createHash("sha256").update(identity).digest("base64url").slice(0, 27),
    bodies: {
      identity,
      br: brotliCompressSync(identity),
      gzip: gzipSync(identity, { level: 9 }),
    },
  };
}

function sendMade(made: Made, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const coding = acceptedCodings(request.headers["accept-encoding"])[0] ?? "identity";
  const tag = `"${made.tag}${coding === "identity" ? "" : `-${coding}`}"`;
  reply.headers({
    ...PAGE_HEADERS,
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    etag: tag,
    vary: "accept-encoding",
  });
  if (reply.statusCode === 200 && isKnown(request.headers["if-none-match"], tag))
    return reply.code(304).send();
  if (coding !== "identity") reply.header("content-encoding", coding);
  return reply.send(made.bodies[coding]);
}

function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((one) => one.trim().replace(/^W\//, "") === tag);
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

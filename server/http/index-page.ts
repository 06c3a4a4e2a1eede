/** The page's HTML with the product's name as its title, compressed once for each build and origin. */

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { acceptedCodings, isKnown, type Coding } from "./files.ts";
import { documentHeaders } from "./security.ts";

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title></title></head>
<body><p>The page is not built yet. Run <code>npm start</code>.</p></body></html>`;

/** Greatest number of origins whose compressed pages are retained: a server has one or two, and a Host header can name any. */
const MAX_ORIGINS = 16;

type Bodies = Partial<Record<Coding | "identity", Buffer>>;

/** The page for one origin. */
interface Variant {
  /** A strong validator without its quotes; each coding adds its own suffix. */
  readonly tag: string;
  readonly bodies: Bodies & { readonly identity: Buffer };
}

interface Made {
  /** The time of the last change of index.html, in milliseconds since 1970; null when there is no such file. */
  readonly modifiedAt: number | null;
  readonly html: string;
  readonly variants: Map<string, Variant>;
}

/** The values that the server writes into the page. */
export interface IndexOptions {
  readonly productName: string;
  /** False when the page must not store anything for a start without a network. */
  readonly offline: boolean;
  /** Origins whose pages may show the page in a frame. */
  readonly frameAncestors: readonly string[];
  /** The path below which browsers find the page and its files; empty for none. */
  readonly basePath: string;
}

export interface IndexPage {
  /** False when the folder has no index.html, which the page then says. */
  readonly isBuilt: boolean;
  /**
   * Sends the page with the reply's status. With 200, a browser that already has the page gets 304. `origin`
   * completes addresses; without it they stay paths.
   */
  send(request: FastifyRequest, reply: FastifyReply, origin: string | null): FastifyReply;
}

/**
 * Makes the page.
 * @param webDir the folder of the built page; a new build in it is noticed by its time
 */
export function createIndexPage(webDir: string, options: IndexOptions): IndexPage {
  const path = join(webDir, "index.html");
  const modifiedAt = (): number | null =>
    statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  const headers = documentHeaders(options.frameAncestors);
  let made = make(path, modifiedAt(), options);
  return {
    get isBuilt() {
      return made.modifiedAt !== null;
    },
    send: (request, reply, origin) => {
      const now = modifiedAt();
      // While a build replaces the folder it has none: the page stays unchanged.
      if (now !== null && now !== made.modifiedAt) made = make(path, now, options);
      reply.headers(headers);
      return sendVariant(variantOf(made, origin ?? ""), request, reply);
    },
  };
}

function make(
  path: string,
  modifiedAt: number | null,
  { productName, offline, basePath }: IndexOptions,
): Made {
  const name = escapeHtml(productName);
  const metas = offline ? [] : ['<meta name="offline" content="off" />'];
  if (basePath !== "") metas.push(`<meta name="base-path" content="${basePath}/" />`);
  // The replacements are functions, so that a name with `$&` in it means itself.
  const html = (modifiedAt === null ? NOT_BUILT : readFileSync(path, "utf8"))
    .replace(
      /( (?:href|src|content)=")\/(?=[^/])/g,
      (_all, start: string) => `${start}${basePath}/`,
    )
    .replace(/<title>[^<]*<\/title>/i, () => `<title>${name}</title>${metas.join("")}`)
    .replace(
      /(<meta property="og:(?:title|site_name)" content=")[^"]*/g,
      (_all, start: string) => start + name,
    );
  return { modifiedAt, html, variants: new Map() };
}

/** Returns the variant for an origin, and makes it where there is none yet; the one that was requested longest ago is removed. */
function variantOf({ html, variants }: Made, origin: string): Variant {
  let variant = variants.get(origin);
  variants.delete(origin);
  if (!variant) {
    const whole = html.replace(
      /(<meta property="og:image" content=")(?=\/)/,
      (start) => start + escapeHtml(origin),
    );
    const identity = Buffer.from(whole, "utf8");
    const tag = createHash("sha256").update(identity).digest("base64url").slice(0, 27);
    variant = { tag, bodies: { identity } };
  }
  variants.set(origin, variant);
  const [oldest = ""] = variants.keys();
  if (variants.size > MAX_ORIGINS) variants.delete(oldest);
  return variant;
}

/** The compression of each coding, at cheap levels: an invented origin must not cost more than the page is worth. */
const COMPRESS: Readonly<Record<Coding, (body: Buffer) => Buffer>> = {
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body) => gzipSync(body),
};

function sendVariant(
  { tag: plain, bodies }: Variant,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const coding = acceptedCodings(request.headers["accept-encoding"])[0] ?? "identity";
  const tag = `"${plain}${coding === "identity" ? "" : `-${coding}`}"`;
  reply.headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    etag: tag,
    vary: "accept-encoding",
  });
  if (reply.statusCode === 200 && isKnown(request.headers["if-none-match"], tag))
    return reply.code(304).send();
  if (coding === "identity") return reply.send(bodies.identity);
  bodies[coding] ??= COMPRESS[coding](bodies.identity);
  return reply.header("content-encoding", coding).send(bodies[coding]);
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

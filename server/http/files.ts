/**
 * Serves the files of the built page from memory; a build has compressed them already. They are looked up without
 * libuv's threads, which name lookups and long computations may occupy.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { PAGE_HEADERS } from "./security.ts";

/** The codings, the best first. */
const CODINGS = ["br", "gzip"] as const;

export type Coding = (typeof CODINGS)[number];

/** Returns the codings that an Accept-Encoding header allows (RFC 9110, section 12.5.3), the best first. */
export function acceptedCodings(header: string | undefined): readonly Coding[] {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  return CODINGS.filter((coding) => (weights.get(coding) ?? weights.get("*") ?? 0) > 0);
}

/** Whether an If-None-Match header names a tag. */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((one) => one.trim().replace(/^W\//, "") === tag);
}

/** The Cache-Control of files under /assets, whose names contain a hash of the content, so that a file never changes. */
const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATED = "no-cache";

/** Matches other forms of a file, which have no path of their own. */
const NOT_SERVED = /\.(?:br|gz|map)$/;

/**
 * Matches a path below /assets: names that do not begin with a dot and that no file system finds too long, and no
 * compressed forms.
 */
const ASSET_PATH = /^(?:[\w-][\w.-]{0,199}\/)*[\w-][\w.-]{0,199}(?<!\.(?:br|gz))$/;

const SUFFIXES: Readonly<Record<Coding, string>> = { br: ".br", gzip: ".gz" };

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".woff2": "font/woff2",
};

/** A file as it was read. */
export interface StoredFile {
  readonly bytes: Buffer;
  /** A strong validator, in its quotes. */
  readonly tag: string;
}

export interface FileStore {
  /** Returns a file below the folder; undefined when there is none. It is read again when it has changed. */
  read(path: string): StoredFile | undefined;
}

interface ReadFile extends StoredFile {
  readonly modifiedAt: number;
  readonly size: number;
}

/** Makes a store that keeps the requested files: at most those of the folder. */
export function createFileStore(folder: string): FileStore {
  const files = new Map<string, ReadFile>();
  return {
    read(path) {
      const stat = statSync(join(folder, path), { throwIfNoEntry: false });
      const known = files.get(path);
      files.delete(path);
      if (stat?.isFile() !== true) return undefined;
      const { mtimeMs: modifiedAt, size } = stat;
      const isSame = known?.modifiedAt === modifiedAt && known.size === size;
      const file = isSame ? known : { ...readWhole(join(folder, path)), modifiedAt, size };
      files.set(path, file);
      return file;
    },
  };
}

function readWhole(path: string): StoredFile {
  const bytes = readFileSync(path);
  return { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"` };
}

/**
 * Serves the files of a folder, all but index.html and those at the root that are ignored. Those under /assets are
 * looked up on the disk, so that a new build is served without a restart. Each other file has a route of its own: a
 * wildcard at the root would precede the APIs' handlers of unknown paths.
 */
export function registerFiles(
  app: FastifyInstance,
  webDir: string,
  ignored: readonly string[],
): void {
  const store = createFileStore(webDir);
  app.get("/assets/*", (request, reply) => {
    const path = (request.params as Readonly<Record<string, string>>)["*"] ?? "";
    if (!ASSET_PATH.test(path)) return reply.callNotFound();
    return sendFile(store, `assets/${path}`, IMMUTABLE, request, reply);
  });
  for (const path of filesOf(webDir))
    if (path !== "index.html" && !ignored.includes(path))
      app.get(`/${path}`, (request, reply) => sendFile(store, path, REVALIDATED, request, reply));
}

function filesOf(webDir: string): readonly string[] {
  if (statSync(webDir, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(webDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_SERVED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(webDir.length + 1))
    .map((path) => path.split(sep).join("/"))
    .filter((path) => !path.startsWith("assets/") && !/(?:^|\/)\./.test(path));
}

/** Sends a file; validation is by ETag alone. */
function sendFile(
  store: FileStore,
  path: string,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | void {
  const [coding, file] = formOf(store, path, acceptedCodings(request.headers["accept-encoding"]));
  if (file === undefined) return reply.callNotFound();
  reply.headers({
    ...PAGE_HEADERS,
    "content-type": TYPES[extname(path)] ?? "application/octet-stream",
    "cache-control": cacheControl,
    etag: file.tag,
    vary: "accept-encoding",
  });
  if (isKnown(request.headers["if-none-match"], file.tag)) return reply.code(304).send();
  if (coding !== undefined) reply.header("content-encoding", coding);
  return reply.send(file.bytes);
}

/** Returns the best form that the browser accepts. */
function formOf(
  store: FileStore,
  path: string,
  codings: readonly Coding[],
): readonly [Coding | undefined, StoredFile | undefined] {
  for (const coding of codings) {
    const file = store.read(path + SUFFIXES[coding]);
    if (file !== undefined) return [coding, file];
  }
  return [undefined, store.read(path)];
}

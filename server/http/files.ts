/** The built page in memory: a few hundred kB, read once, so that no request names a path on the disk. */

import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

export type Encoding = "br" | "gzip" | "identity";

export interface WebFile {
  readonly contentType: string;
  /** A strong validator without its quotes; each encoding adds its own suffix. */
  readonly tag: string;
  /** The name holds a hash of the content, so that it never changes. */
  readonly immutable: boolean;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>> & { readonly identity: Buffer };
}

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  gif: "image/gif",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff2: "font/woff2",
};

/** Every file of a folder by its URL path; the `.br` and `.gz` beside a file are its other bodies. */
export function readWebFiles(folder: string): ReadonlyMap<string, WebFile> {
  const files = new Map<string, WebFile>();
  if (!existsSync(folder)) return files;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const all = new Set(names);
  for (const name of names) {
    if (/\.(?:br|gz|map)$/.test(name)) continue;
    const read = (suffix: string): Buffer | undefined =>
      all.has(name + suffix) ? readFileSync(join(folder, name + suffix)) : undefined;
    const path = `/${name.split(sep).join("/")}`;
    const identity = readFileSync(join(folder, name));
    files.set(path, webFile(path, { identity, br: read(".br"), gzip: read(".gz") }));
  }
  return files;
}

export function webFile(
  path: string,
  bodies: { identity: Buffer; br: Buffer | undefined; gzip: Buffer | undefined },
): WebFile {
  return {
    contentType: TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ""] ?? "application/octet-stream",
    tag: createHash("sha256").update(bodies.identity).digest("base64url").slice(0, 27),
    immutable: path.startsWith("/assets/"),
    bodies: {
      identity: bodies.identity,
      ...(bodies.br === undefined ? {} : { br: bodies.br }),
      ...(bodies.gzip === undefined ? {} : { gzip: bodies.gzip }),
    },
  };
}

/** The smallest body that an Accept-Encoding header allows (RFC 9110, section 12.5.3). */
export function chooseEncoding(file: WebFile, accept: string | undefined): Encoding {
  const weights = new Map<string, number>();
  for (const part of (accept ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const allowed = (name: Encoding): boolean =>
    file.bodies[name] !== undefined && (weights.get(name) ?? weights.get("*") ?? 0) > 0;
  if (allowed("br")) return "br";
  return allowed("gzip") ? "gzip" : "identity";
}

/** The host link and the drawing link: two secrets that are derived, and stored as hashes only. */

import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readKeysFile, secretOfFile, sharedSecret, shareValues } from "../keys/stored.ts";
import type { Variables } from "../settings/read.ts";
import type { Database, Queryable } from "../storage/port.ts";
import type { BoardRole, StoredLinks } from "./port.ts";

/** The secrets of both links, and the name of the pair. */
export interface Links {
  readonly version: string;
  readonly host: string;
  readonly draw: string;
}

/** The name of the row in `inkpool_keys`. */
export const LINKS_ROW = "host_link";

export interface KeySources {
  readonly env: Variables;
  readonly dataDir: string;
  readonly database: Database;
}

/**
 * Returns the key from which the secrets are derived: the operator's key for signing tokens, or else the secret of
 * this installation. Its owner can sign tokens of any role anyway, so the derivation grants nothing more.
 * @throws StartFault when keys.json has no secret.
 */
export async function linkKey({ env, dataDir, database }: KeySources): Promise<string> {
  const given = ["GOTRUE_JWT_SECRET", "GOTRUE_JWT_KEYS"].map((name) => env[name]?.trim() ?? "");
  if (given.some((text) => text !== "")) return given.join("\n");
  if (database.dialect === "postgres") return sharedSecret(database);
  return secretOfFile(dataDir, readKeysFile(dataDir) ?? {});
}

function deriveLinks(key: string, version: string): Links {
  const secret = (name: string): string =>
    createHmac("sha256", key).update(`inkpool ${name} ${version}`).digest("base64url");
  return { version, host: secret("host link"), draw: secret("drawing link") };
}

const digest = (secret: string): Buffer => createHash("sha256").update(secret).digest();

function stored({ version, host, draw }: Links): string {
  const hash = (secret: string): string => digest(secret).toString("hex");
  return JSON.stringify({ version, host: hash(host), draw: hash(draw) });
}

const newVersion = (): string => randomBytes(16).toString("base64url");

/** Makes the links of an installation that has none. Resolves to whether it had none. */
export async function ensureLinks(database: Database, key: string): Promise<boolean> {
  await shareValues(database);
  const { rowCount } = await database.query(
    "insert into inkpool_keys (name, value) values ($1, $2) on conflict (name) do nothing",
    [LINKS_ROW, stored(deriveLinks(key, newVersion()))],
  );
  return rowCount > 0;
}

/** Makes new links: the old ones, and every token made from them, are void for every reader of the row. */
export async function renewLinks(database: Database, key: string): Promise<Links> {
  await shareValues(database);
  const links = deriveLinks(key, newVersion());
  await database.query(
    `insert into inkpool_keys (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [LINKS_ROW, stored(links)],
  );
  return links;
}

/** Reads the links; null when there are none. */
export async function readLinks(database: Queryable): Promise<StoredLinks | null> {
  const { rows } = await database.query("select value from inkpool_keys where name = $1", [
    LINKS_ROW,
  ]);
  return parseLinks(rows[0]?.["value"]);
}

/** Parses the row's value; null for anything else. */
export function parseLinks(value: unknown): StoredLinks | null {
  if (typeof value !== "string") return null;
  try {
    const { version, host, draw } = JSON.parse(value) as Partial<Record<string, unknown>>;
    const all = [version, host, draw];
    if (!all.every((one) => typeof one === "string" && one !== "")) return null;
    return { version: String(version), host: String(host), draw: String(draw) };
  } catch {
    return null;
  }
}

/** Returns the secrets behind the row; null when the key has changed since the row was written. */
export function linksOf(row: StoredLinks, key: string): Links | null {
  const links = deriveLinks(key, row.version);
  return roleOfSecret(row, links.host) === "host" ? links : null;
}

/** Returns the role that a secret gives; null for a wrong one. It takes equally long for every text of a length. */
export function roleOfSecret(row: StoredLinks, secret: string): BoardRole | null {
  const given = digest(secret);
  const isOf = (hash: string): boolean => {
    const expected = Buffer.from(hash, "hex");
    return expected.length === given.length && timingSafeEqual(expected, given);
  };
  const [isHost, isEditor] = [isOf(row.host), isOf(row.draw)];
  if (isHost) return "host";
  return isEditor ? "editor" : null;
}

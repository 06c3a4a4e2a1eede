/** Stores a generated secret: in DATA_DIR/keys.json, or in a table that several processes share. */

import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { StartFault } from "../process/start-fault.ts";
import { migrate } from "../storage/migrate.ts";
import type { Database } from "../storage/port.ts";
import { SECRET_LENGTH } from "./material.ts";

/** The content of keys.json. It contains the secret only when this server made it. */
export interface KeysFile {
  readonly jwtSecret?: string;
  readonly anonKey?: string;
  readonly serviceKey?: string;
}

export const KEYS_FILE = "keys.json";

/** Returns 48 random bytes as 64 characters. */
export function makeSecret(): string {
  return randomBytes(48).toString("base64url");
}

/** Reads keys.json; null when there is no file. @throws StartFault when the file contains something else */
export function readKeysFile(dataDir: string): KeysFile | null {
  const path = join(dataDir, KEYS_FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new StartFault(
      `DATA_DIR: ${path} cannot be read; expected the keys of this installation`,
    );
  }
  const wrong = new StartFault(
    `DATA_DIR: ${path} is damaged; expected JSON with jwtSecret, anonKey and serviceKey (remove it to make new keys)`,
  );
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw wrong;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw wrong;
  const members = new Map<string, unknown>(Object.entries(parsed));
  const known: { jwtSecret?: string; anonKey?: string; serviceKey?: string } = {};
  for (const name of ["jwtSecret", "anonKey", "serviceKey"] as const) {
    const value = members.get(name);
    if (typeof value === "string" && value !== "") known[name] = value;
    else if (value !== undefined) throw wrong;
  }
  return known;
}

/**
 * Returns the secret that this server once wrote into the file.
 * @throws StartFault when it is missing, or can be guessed, since with it anybody could sign any key and token
 */
export function secretOfFile(dataDir: string, { jwtSecret }: KeysFile): string {
  const path = join(dataDir, KEYS_FILE);
  if (jwtSecret === undefined)
    throw new StartFault(
      `DATA_DIR: ${path} has no jwtSecret; expected the secret of this installation, or GOTRUE_JWT_SECRET as it was (remove the file to make new keys)`,
    );
  if (isWeak(jwtSecret))
    throw new StartFault(
      `DATA_DIR: ${path} has a jwtSecret that can be guessed; expected ${STRONG_SECRET} (remove the file to make new keys)`,
    );
  return jwtSecret;
}

/** Least number of different characters in a secret; one of 32 random hexadecimal digits has about 14. */
const DIFFERENT_CHARACTERS = 8;

const STRONG_SECRET = `at least ${SECRET_LENGTH} random characters`;

function isWeak(secret: string): boolean {
  return secret.length < SECRET_LENGTH || new Set(secret).size < DIFFERENT_CHARACTERS;
}

/** Writes the whole file or nothing; only the owner can read it. */
export function writeKeysFile(dataDir: string, keys: KeysFile): void {
  const path = join(dataDir, KEYS_FILE);
  const fresh = `${path}.${process.pid}.new`;
  const file = openSync(fresh, "w", 0o600);
  try {
    chmodSync(fresh, 0o600);
    writeSync(file, `${JSON.stringify(keys, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
}

const KEYS_TABLE =
  "create table if not exists inkpool_keys (name text primary key, value text not null);";

/** The table for PostgreSQL. No role of the table API may read it, even where a database grants new tables to them by default. */
const KEYS_TABLE_POSTGRES = `${KEYS_TABLE}
alter table inkpool_keys enable row level security;
revoke all on inkpool_keys from public, anon, authenticated, service_role;`;

/**
 * Returns the secret that the processes of one database share: the first process makes it.
 * @param own that of keys.json, which it takes unless it can be guessed: the installation has moved to this database
 * @throws StartFault when it can be guessed
 */
export async function sharedSecret(database: Database, own?: string): Promise<string> {
  const made = own === undefined || isWeak(own) ? makeSecret() : own;
  const secret = await sharedValue(database, "jwt_secret", made);
  if (isWeak(secret))
    throw new StartFault(
      `DATABASE_URL: the table inkpool_keys has a jwt_secret that can be guessed; expected ${STRONG_SECRET} (delete the row to make new keys)`,
    );
  return secret;
}

/** Returns a short name of this installation, the same for all processes of one database, and by chance for no other. */
export async function installationName(database: Database): Promise<string> {
  return sharedValue(database, "installation", randomBytes(6).toString("hex"));
}

/** Makes the table `inkpool_keys` where there is none. */
export async function shareValues(database: Database): Promise<void> {
  await migrate(database, "keys", [
    { name: "0001_keys", sqlite: KEYS_TABLE, postgres: KEYS_TABLE_POSTGRES },
  ]);
}

/** Returns the value that the first process to ask for it made. */
async function sharedValue(database: Database, name: string, made: string): Promise<string> {
  await shareValues(database);
  await database.query(
    "insert into inkpool_keys (name, value) values ($1, $2) on conflict (name) do nothing",
    [name, made],
  );
  const { rows } = await database.query("select value from inkpool_keys where name = $1", [name]);
  return String(rows[0]?.["value"]);
}

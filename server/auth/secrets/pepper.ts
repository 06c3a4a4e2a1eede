/** The secret on which codes, refresh tokens and seeds depend: a file beside the embedded database, never in it. */

import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartFault, errorCode } from "../../process/start-fault.ts";
import type { ServerEnvironment } from "../../port.ts";

export const PEPPER_FILE = "auth.key";

/** Least number of characters of the secret. */
const MIN_LENGTH = 32;

/**
 * Returns the operator's INKPOOL_AUTH_KEY; without it, on SQLite, a file in DATA_DIR; on PostgreSQL, which
 * several processes share, a row that the first of them inserts. It is not one of the JWT keys, so that
 * those may rotate.
 * @throws StartFault
 */
export async function openPepperSecret(
  deps: ServerEnvironment,
  given: string | null,
): Promise<string> {
  if (given !== null) return given;
  return deps.database.dialect === "postgres"
    ? sharedPepper(deps)
    : ownPepper(deps.settings.dataDir);
}

async function sharedPepper({ database }: ServerEnvironment): Promise<string> {
  await database.query(
    "insert into auth_secrets (name, value) values ('pepper', $1) on conflict (name) do nothing",
    [makePepper()],
  );
  const { rows } = await database.query("select value from auth_secrets where name = 'pepper'");
  return String(rows[0]?.["value"]);
}

function ownPepper(dataDir: string): string {
  const path = join(dataDir, PEPPER_FILE);
  const known = readPepper(path);
  if (known !== undefined) return known;
  const made = makePepper();
  try {
    writeFileSync(path, `${made}\n`, { mode: 0o600, flag: "wx", flush: true });
    return made;
  } catch (error) {
    const theirs = errorCode(error) === "EEXIST" ? readPepper(path) : undefined;
    if (theirs !== undefined) return theirs;
    throw new StartFault(
      `DATA_DIR: ${path} cannot be written (${errorCode(error)}); expected a folder that this process may write`,
    );
  }
}

function readPepper(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new StartFault(
      `DATA_DIR: ${path} cannot be read (${errorCode(error)}); expected this installation's auth key`,
    );
  }
  if (text.length >= MIN_LENGTH) return text;
  throw new StartFault(`DATA_DIR: ${path} is damaged; expected at least ${MIN_LENGTH} characters`);
}

function makePepper(): string {
  return randomBytes(48).toString("base64url");
}

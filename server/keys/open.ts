import type { Database } from "../storage/port.ts";
import { materialOfSecret, type KeyMaterial } from "./material.ts";
import type { KeyRing } from "./port.ts";
import { createKeyRing } from "./ring.ts";
import {
  makeSecret,
  readKeysFile,
  secretOfFile,
  sharedSecret,
  writeKeysFile,
  type KeysFile,
} from "./stored.ts";

export interface KeySources {
  readonly dataDir: string;
  /** The keys of GOTRUE_JWT_SECRET or GOTRUE_JWT_KEYS; null when the operator gave none. */
  readonly material: KeyMaterial | null;
  readonly database: Database;
  readonly clock: () => number;
}

/**
 * Opens the keys of this installation. keys.json always contains the two API keys in use, since the service key is
 * nowhere else.
 * @throws StartFault for keys that are damaged, missing or can be guessed
 */
export async function openKeys(sources: KeySources): Promise<KeyRing> {
  const { dataDir, clock } = sources;
  const file = readKeysFile(dataDir);
  const jwtSecret = sources.material === null ? await chooseSecret(sources, file) : file?.jwtSecret;
  const material = sources.material ?? materialOfSecret(jwtSecret ?? makeSecret());
  const ring = await createKeyRing(material, clock, file ?? {});
  const { anonKey, serviceKey } = ring;
  const now: KeysFile = { ...(jwtSecret === undefined ? {} : { jwtSecret }), anonKey, serviceKey };
  if (JSON.stringify(now) !== JSON.stringify(file)) writeKeysFile(dataDir, now);
  return ring;
}

async function chooseSecret(
  { dataDir, database }: KeySources,
  file: KeysFile | null,
): Promise<string> {
  if (database.dialect === "postgres") return sharedSecret(database, file?.jwtSecret);
  return file === null ? makeSecret() : secretOfFile(dataDir, file);
}

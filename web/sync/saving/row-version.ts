/** Versions of the row: the one that a client saw last, and the time that it writes into the next one. */

import type { RowVersion } from "../environment/backend.ts";
import type { Environment } from "../environment/environment.ts";

/** The version of a row, without its drawing. */
export function versionOf({ id, updatedAt, version }: RowVersion): RowVersion {
  return { id, updatedAt, version };
}

/**
 * Whether two versions are the same. The count alone does not say it, since that of a restored backup begins again where
 * the backup was made, and a client may write any time into `updated_at`.
 */
export function isSame(a: RowVersion | null, b: RowVersion | null): boolean {
  if (a?.id !== b?.id || a?.updatedAt !== b?.updatedAt) return false;
  return a?.version == null || b?.version == null || a.version === b.version;
}

/** A row from further in the future than this comes from no clock that is a little fast. */
const CLOCK_ERROR = 24 * 60 * 60 * 1000;

/** A time after that of the row, whatever this device's clock says. Three random digits tell two saves of one millisecond apart. */
export function timeAfter(version: RowVersion | null, env: Environment): string {
  const now = env.clock.now();
  const before = version ? Date.parse(version.updatedAt) : Number.NaN;
  const time = before >= now && before < now + CLOCK_ERROR ? before + 1 : now;
  const micros = String(Math.floor(env.random() * 1000)).padStart(3, "0");
  return new Date(time).toISOString().replace("Z", `${micros}+00:00`);
}

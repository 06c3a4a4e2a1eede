/** The equivalents of PostgreSQL's gen_random_uuid() and now() for SQLite. */

/** The SQL of a random version 4 UUID for SQLite. */
export const SQLITE_UUID = `(lower(hex(randomblob(4))) || '-' || lower(hex(randomblob(2))) || '-4'
  || substr(lower(hex(randomblob(2))), 2) || '-'
  || substr('89ab', 1 + (abs(random()) & 3), 1) || substr(lower(hex(randomblob(2))), 2)
  || '-' || lower(hex(randomblob(6))))`;

/** The SQL of the present time, as PostgreSQL's JSON shows a timestamptz: no trailing zeros in the fraction. */
export const SQLITE_NOW = `(rtrim(rtrim(strftime('%Y-%m-%dT%H:%M:%f', 'now'), '0'), '.') || '+00:00')`;

/** The parser of a `phx_join`: `unknown` goes in, a value or a reason comes out. */

export interface PostgresBinding {
  readonly event: string;
  readonly schema?: string;
  readonly table?: string;
  readonly filter?: string;
  readonly select?: readonly string[];
}

export interface JoinRequest {
  readonly ack: boolean;
  readonly self: boolean;
  /** Whether the client wants broadcasts from before its join, and a valid selection of them. */
  readonly replay: "none" | "malformed" | "wanted";
  /** Whether the client wants to know when changes of the row can be reported. */
  readonly replicationReady: boolean;
  readonly private: boolean;
  readonly presence: {
    readonly key: string;
    readonly enabled: boolean;
    /** Whether the client wants a summary of the presences in a crowd in place of all of them. */
    readonly summary: boolean;
  };
  readonly postgresChanges: readonly PostgresBinding[];
  /** The token; null when it is absent, or means "the anonymous key". */
  readonly accessToken: string | null;
}

type JoinResult =
  | { readonly ok: true; readonly join: JoinRequest }
  | { readonly ok: false; readonly reason: string };

type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};
const PRESENCE_KEY_BYTES = 255;
const POSTGRES_BINDINGS = 100;
/** Greatest number of bytes of all these entries together: each channel keeps them. */
const POSTGRES_BYTES = 4_096;

class Rejection {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

function map(value: unknown, what: string): Fields {
  if (value === undefined || value === null) return NONE;
  if (typeof value !== "object" || Array.isArray(value))
    throw new Rejection(`${what} must be a map`);
  return value as Fields;
}

/** Reads a boolean, which some clients send as a text. */
function flag(value: unknown, fallback: boolean, what: string): boolean {
  if (value === undefined || value === null) return fallback;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new Rejection(`${what} must be a boolean`);
}

function text(value: unknown, what: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new Rejection(`${what} must be a text`);
  return value;
}

function presenceKey(value: unknown): string {
  const key = text(value, "presence.key") ?? "";
  if (Buffer.byteLength(key) > PRESENCE_KEY_BYTES)
    throw new Rejection(`presence.key must have at most ${PRESENCE_KEY_BYTES} bytes`);
  return key;
}

function binding(value: unknown): PostgresBinding {
  const fields = map(value, "a postgres_changes entry");
  const { select } = fields;
  const schema = text(fields["schema"], "schema");
  const table = text(fields["table"], "table");
  const filter = text(fields["filter"], "filter");
  return {
    event: text(fields["event"], "event") ?? "*",
    ...(schema === undefined ? {} : { schema }),
    ...(table === undefined ? {} : { table }),
    ...(filter === undefined ? {} : { filter }),
    ...(Array.isArray(select) ? { select: select.filter((name) => typeof name === "string") } : {}),
  };
}

function bindings(value: unknown): readonly PostgresBinding[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > POSTGRES_BINDINGS)
    throw new Rejection(`postgres_changes must be a list of at most ${POSTGRES_BINDINGS}`);
  const all = value.map(binding);
  if (Buffer.byteLength(JSON.stringify(all)) > POSTGRES_BYTES)
    throw new Rejection(`postgres_changes must have at most ${POSTGRES_BYTES} bytes`);
  return all;
}

/** Returns the token. A client that sends a key (`sb_...`), which is no token, is anonymous. */
export function accessToken(value: unknown): string | null {
  return typeof value === "string" && !value.startsWith("sb_") ? value : null;
}

function replay(value: unknown): JoinRequest["replay"] {
  if (value === undefined || value === null) return "none";
  const { since, limit = 1 } = value as Fields;
  return Number.isInteger(since) && Number.isInteger(limit) ? "wanted" : "malformed";
}

export function parseJoin(payload: unknown): JoinResult {
  try {
    const fields = map(payload, "payload");
    const config = map(fields["config"], "config");
    const broadcast = map(config["broadcast"], "broadcast");
    const presence = map(config["presence"], "presence");
    const token = text(fields["access_token"], "access_token");
    return {
      ok: true,
      join: {
        ack: flag(broadcast["ack"], false, "broadcast.ack"),
        self: flag(broadcast["self"], false, "broadcast.self"),
        replay: replay(broadcast["replay"]),
        replicationReady: flag(
          broadcast["replication_ready"],
          false,
          "broadcast.replication_ready",
        ),
        private: flag(config["private"], false, "private"),
        presence: {
          key: presenceKey(presence["key"]),
          // Clients that do not know the flag expect presence.
          enabled: flag(presence["enabled"], true, "presence.enabled"),
          summary: presence["summary"] === true,
        },
        postgresChanges: bindings(config["postgres_changes"]),
        accessToken: accessToken(token),
      },
    };
  } catch (error) {
    if (error instanceof Rejection) return { ok: false, reason: error.reason };
    throw error;
  }
}

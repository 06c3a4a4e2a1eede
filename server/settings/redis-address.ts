/** Parses REDIS_URL: where Redis is, and how it is reached. Pure. */

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

interface User {
  readonly username?: string;
  readonly password?: string;
}

export type RedisAddress =
  /** One server, whose URL the library reads by itself. */
  | { readonly kind: "server"; readonly url: string; readonly tls: boolean }
  | ({ readonly kind: "socket"; readonly path: string; readonly tls: false } & User)
  /** Sentinels. `name` is their name for the primary. */
  | ({
      readonly kind: "sentinel";
      readonly tls: boolean;
      readonly endpoints: readonly Endpoint[];
      readonly name: string;
    } & User)
  | ({
      readonly kind: "cluster";
      readonly tls: boolean;
      readonly endpoints: readonly Endpoint[];
    } & User);

export const REDIS_FORMS =
  "redis://host:port, rediss://host:port, unix:///path, redis+sentinel://host:port,host:port/name or redis+cluster://host:port,host:port";

const SEVERAL =
  /^redis(?<tls>s?)\+(?<kind>sentinel|cluster):\/\/(?:(?<user>[^@/]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<name>[^/?#]*))?$/i;
const DEFAULT_PORTS = { sentinel: 26_379, cluster: 6_379 } as const;
const HOST = /^(?:\[(?<v6>[\da-f:.]+)\]|(?<host>[\w.-]+))(?::(?<port>\d{1,5}))?$/i;

/** Parses the URL; null when it has none of the forms. */
export function parseRedisUrl(text: string): RedisAddress | null {
  try {
    if (/^redis(s?)\+/i.test(text)) return parseSeveral(text);
    if (text.startsWith("/")) return { kind: "socket", path: text, tls: false };
    const url = new URL(text);
    if (url.protocol === "unix:") return parseSocket(url);
    if (url.protocol !== "redis:" && url.protocol !== "rediss:") return null;
    if (url.hostname === "") return null;
    return { kind: "server", url: text, tls: url.protocol === "rediss:" };
  } catch {
    return null;
  }
}

function parseSocket(url: URL): RedisAddress | null {
  const path = decodeURIComponent(url.pathname);
  if (path.length < 2 || url.hostname !== "" || url.search !== "" || url.hash !== "") return null;
  return { kind: "socket", path, tls: false };
}

function parseSeveral(text: string): RedisAddress | null {
  const parts = SEVERAL.exec(text)?.groups;
  if (parts === undefined) return null;
  const kind = parts["kind"]!.toLowerCase() as "sentinel" | "cluster";
  const endpoints: Endpoint[] = [];
  for (const host of parts["hosts"]!.split(",")) {
    const endpoint = parseEndpoint(host, DEFAULT_PORTS[kind]);
    if (endpoint === null) return null;
    endpoints.push(endpoint);
  }
  const shared = { tls: parts["tls"] !== "", endpoints, ...parseUser(parts["user"] ?? "") };
  const name = decodeURIComponent(parts["name"] ?? "");
  if (kind === "cluster") return name === "" ? { kind, ...shared } : null;
  return name === "" ? null : { kind, ...shared, name };
}

function parseEndpoint(text: string, fallback: number): Endpoint | null {
  const parts = HOST.exec(text)?.groups;
  if (parts === undefined) return null;
  const port = Number(parts["port"] ?? fallback);
  return port < 1 || port > 65_535 ? null : { host: (parts["v6"] ?? parts["host"])!, port };
}

/** Parses `user:password`, each percent-encoded; the user may be missing. */
function parseUser(text: string): User {
  const colon = text.indexOf(":");
  const name = decodeURIComponent(colon < 0 ? text : text.slice(0, colon));
  const password = colon < 0 ? "" : decodeURIComponent(text.slice(colon + 1));
  return { ...(name !== "" && { username: name }), ...(password !== "" && { password }) };
}

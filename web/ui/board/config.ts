/** The page's configuration, which the server provides at run time: `/config.json`. */

export interface PageConfig {
  readonly productName: string;
  readonly supabaseUrl: string;
  readonly supabaseAnonKey: string;
  /** Messages per second that the backend grants to all clients of the board together; absent when the server does not say. */
  readonly liveBudget?: number;
  /** Whether the server sends summaries of presence in a crowd. */
  readonly presenceSummary?: boolean;
}

/** Milliseconds for the few bytes of the configuration; without them the page works on its own and asks again. */
const LIMIT = 10_000;

/** Requests the configuration below a path. @throws Error when the server does not respond, or responds with something else. */
export async function fetchConfig(basePath: string): Promise<PageConfig> {
  const response = await fetch(`${basePath}config.json`, {
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(LIMIT),
  });
  if (!response.ok) throw new Error(`config.json has status ${response.status}`);
  return parseConfig(await response.json());
}

/**
 * Parses the configuration.
 * @throws Error that names the field which is missing or wrong.
 */
export function parseConfig(input: unknown): PageConfig {
  if (typeof input !== "object" || input === null)
    throw new Error("the configuration is not an object");
  const fields = input as Readonly<Record<string, unknown>>;
  const liveBudget = fields["liveBudget"] as number;
  return {
    productName: text(fields, "productName"),
    supabaseUrl: webAddress(fields, "supabaseUrl"),
    supabaseAnonKey: text(fields, "supabaseAnonKey"),
    ...(Number.isFinite(liveBudget) && liveBudget > 0 && { liveBudget }),
    presenceSummary: fields["presenceSummary"] === true,
  };
}

/**
 * The configuration while the server does not respond: the board works and is stored on this device. The key gives no
 * access; the client library only refuses an empty one.
 */
export function localConfig(address: string, productName: string): PageConfig {
  return { productName, supabaseUrl: address, supabaseAnonKey: "none" };
}

function text(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value !== "string" || value === "") throw new Error(`${name} is not a text`);
  return value;
}

function webAddress(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = text(fields, name);
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new Error(`${name} is not a web address`);
  return value;
}

/** Restricts redirects to GOTRUE_SITE_URL's origin and to GOTRUE_URI_ALLOW_LIST. */

import { oauthError, type AuthFault } from "./errors.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export interface Redirects {
  /** Whether a redirect may go to this URL. */
  allows(target: string): boolean;
  /** Returns the target when it is allowed, otherwise the site's address. */
  choose(target: string | undefined): string;
}

/** Makes the rules. `siteUrl` is a function because the address may be known only once the server listens. */
export function createRedirects(siteUrl: () => string, allowList: readonly string[]): Redirects {
  const patterns = allowList.map(globToRegExp);
  const allows = (target: string): boolean => {
    if (target.length > 2048 || !URL.canParse(target)) return false;
    const url = new URL(target);
    if (url.username !== "" || url.password !== "") return false;
    if (["javascript:", "data:", "vbscript:", "file:", "blob:"].includes(url.protocol))
      return false;
    if (isSameSite(url, new URL(siteUrl()))) return true;
    url.hash = "";
    // The text as the client wrote it must match as well: another URL parser may read it differently.
    const raw = target.split("#", 1)[0] ?? "";
    return patterns.some((pattern) => matches(pattern, url.href) && matches(pattern, raw));
  };
  return {
    allows,
    choose: (target) =>
      target !== undefined && target !== "" && allows(target) ? target : siteUrl(),
  };
}

/** Whether a pattern matches a URL; one without a path may be written with or without a slash at its end. */
function matches(pattern: RegExp, href: string): boolean {
  return pattern.test(href) || pattern.test(href.replace(/\/$/, "")) || pattern.test(`${href}/`);
}

/** Whether two URLs have the same origin. The three names of this machine count as one. */
function isSameSite(url: URL, site: URL): boolean {
  if (url.origin !== "null" && url.origin === site.origin) return true;
  return (
    url.protocol === site.protocol &&
    url.port === site.port &&
    LOOPBACK.includes(url.hostname) &&
    LOOPBACK.includes(site.hostname)
  );
}

/** Converts a glob as GoTrue writes it: `*` and `?` stop at dots and slashes, `**` does not; `{a,b}` and `[abc]` are choices. */
export function globToRegExp(glob: string): RegExp {
  let source = "";
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i] ?? "";
    if (char === "*") {
      const double = glob[i + 1] === "*";
      source += double ? ".*" : "[^./]*";
      if (double) i++;
    } else if (char === "?") source += "[^./]";
    else if (char === "{") {
      source += "(?:";
      depth++;
    } else if (char === "}" && depth > 0) {
      source += ")";
      depth--;
    } else if (char === "," && depth > 0) source += "|";
    else if (char === "[") {
      const end = glob.indexOf("]", i + 1);
      if (end < 0) source += "\\[";
      else {
        const inside = glob
          .slice(i + 1, end)
          .replace(/^!/, "^")
          .replace(/[\\[\]]/g, "\\$&");
        source += `[${inside}]`;
        i = end;
      }
    } else if (char === "\\" && i + 1 < glob.length) source += escape(glob[++i] ?? "");
    else source += escape(char);
  }
  return new RegExp(`^${source}${")".repeat(depth)}$`, "u");
}

function escape(char: string): string {
  return char.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Adds values to a URL's query. */
export function withQuery(target: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(target);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

/** Puts values into a URL's fragment, which browsers do not send to a server. */
export function withFragment(target: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(target);
  url.hash = new URLSearchParams(values).toString();
  return url.href;
}

/** Returns a redirect that carries an error: in the fragment, and with PKCE in the query too. */
export function faultRedirect(target: string, fault: AuthFault, pkce: boolean): string {
  const values = {
    error: oauthError(fault.status),
    error_code: fault.code,
    error_description: fault.message,
  };
  return withFragment(pkce ? withQuery(target, values) : target, values);
}

const SESSION_FIELDS = ["access_token", "expires_at", "expires_in", "refresh_token", "token_type"];

/** Returns a redirect that carries a session in its fragment, with more values beside it. */
export function sessionRedirect(
  target: string,
  session: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, string>>,
): string {
  const values: Record<string, string> = { ...more };
  for (const name of SESSION_FIELDS) values[name] = String(session[name]);
  return withFragment(target, values);
}

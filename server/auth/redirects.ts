/** Where a redirect may go: GOTRUE_SITE_URL's origin and GOTRUE_URI_ALLOW_LIST, nowhere else. */

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Decides for one installation. */
export interface Redirects {
  allows(target: string): boolean;
  /** The target when it is allowed, else the site's address. */
  choose(target: string | undefined): string;
}

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
    // The text as it was given must fit as well: a parser of another make may read it differently.
    const raw = target.split("#", 1)[0] ?? "";
    return patterns.some((pattern) => matches(pattern, url.href) && matches(pattern, raw));
  };
  return {
    allows,
    choose: (target) =>
      target !== undefined && target !== "" && allows(target) ? target : siteUrl(),
  };
}

/** A URL without a path is written with a slash by one side and without by the other. */
function matches(pattern: RegExp, href: string): boolean {
  return pattern.test(href) || pattern.test(href.replace(/\/$/, "")) || pattern.test(`${href}/`);
}

/** One origin; the names of this machine count as one. */
function isSameSite(url: URL, site: URL): boolean {
  if (url.origin !== "null" && url.origin === site.origin) return true;
  return (
    url.protocol === site.protocol &&
    url.port === site.port &&
    LOOPBACK.includes(url.hostname) &&
    LOOPBACK.includes(site.hostname)
  );
}

/** `*` and `?` stop at dots and slashes, `**` does not; `{a,b}` and `[abc]` as in GoTrue's globs. */
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

/** A link with more in its query. */
export function withQuery(target: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(target);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

/** A link with values after the hash, where only the page sees them. */
export function withFragment(target: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(target);
  url.hash = new URLSearchParams(values).toString();
  return url.href;
}

/** The host link in the form that the operator reads. */

import { linksOf, type Links } from "./links.ts";
import type { HostAccess } from "./port.ts";

/**
 * Returns the host link.
 * @param origin without a trailing slash
 */
export function hostLink(origin: string, { host }: Pick<Links, "host">): string {
  return `host link: ${origin}/#host=${host}`;
}

/**
 * Returns a start's line about the link: the link itself on a terminal; elsewhere, where the output may be stored as
 * a log, the command that prints it, once. Null for no line.
 */
export function hostLinkLine(
  access: Pick<HostAccess, "links" | "key"> & { readonly isFirst: boolean },
  origin: string,
  isTerminal: boolean,
): string | null {
  const links = access.links === null ? null : linksOf(access.links, access.key);
  if (isTerminal && links !== null) return hostLink(origin, links);
  return access.isFirst
    ? "npm run host-link (inkpool host-link in the package) prints the host link"
    : null;
}

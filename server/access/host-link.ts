/** The host link as the operator reads it. */

import { linksOf, type Links } from "./links.ts";
import type { HostAccess } from "./port.ts";

/** @param origin without a trailing slash */
export function hostLink(origin: string, { host }: Pick<Links, "host">): string {
  return `host link: ${origin}/#host=${host}`;
}

/**
 * What a start says of the link: on a terminal the link, elsewhere, where the output may be kept as a log, how to get
 * it, once. Null for nothing.
 */
export function hostLinkLine(
  access: Pick<HostAccess, "links" | "key"> & { readonly isFirst: boolean },
  origin: string,
  isTerminal: boolean,
): string | null {
  const links = access.links === null ? null : linksOf(access.links, access.key);
  if (isTerminal && links !== null) return hostLink(origin, links);
  return access.isFirst ? "npm run host-link prints the host link" : null;
}

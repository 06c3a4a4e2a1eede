/** The address of this page, for others. */

/** Returns the address without the parts that only this visit needs. */
export function pageLink({
  origin,
  pathname,
  search,
}: Pick<Location, "origin" | "pathname" | "search">): string {
  return origin + pathname + search;
}

/** Whether only this device can open it. */
export function isLocalLink(link: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(link).hostname);
}

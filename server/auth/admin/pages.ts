/** The pages of the admin API's lists, and the headers by which the client finds the next one. */

import { AuthFault } from "../http/errors.ts";
import { textField, type AuthRequest } from "../http/request.ts";

export interface Page {
  /** The number of the page, from 1. */
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

const PER_PAGE = 50;
const MAX_PER_PAGE = 1000;

/** Reads the page that a request asks for; without numbers, the first 50 rows. @throws AuthFault validation_failed */
export function readPage(request: AuthRequest): Page {
  const page = readNumber(request, "page", 1);
  const limit = Math.min(readNumber(request, "per_page", PER_PAGE), MAX_PER_PAGE);
  return { page, limit, offset: (page - 1) * limit };
}

function readNumber(request: AuthRequest, name: string, fallback: number): number {
  const text = textField(request.query, name);
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new AuthFault(
      "validation_failed",
      `Bad Pagination Parameters: ${name} must be a number from 1`,
    );
  return Number(text);
}

/** Returns headers with the number of all rows, and links to the last page and, where there is one, to the next. */
export function pageHeaders(
  address: string,
  page: Page,
  total: number,
  filter?: string,
): Readonly<Record<string, string>> {
  const more = filter === undefined ? "" : `&filter=${encodeURIComponent(filter)}`;
  const last = Math.max(1, Math.ceil(total / page.limit));
  const link = (to: number, rel: string): string =>
    `<${address}?page=${to}&per_page=${page.limit}${more}>; rel="${rel}"`;
  const links = page.page < last ? [link(page.page + 1, "next")] : [];
  return { "x-total-count": String(total), link: [...links, link(last, "last")].join(", ") };
}

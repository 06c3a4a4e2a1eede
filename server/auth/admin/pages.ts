/** Pages of the admin API's lists, with the headers that the client reads. */

import { AuthFault } from "../errors.ts";
import { textField } from "../request.ts";
import type { AuthRequest } from "../request.ts";

export interface Page {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

const PER_PAGE = 50;
const MAX_PER_PAGE = 1000;

/** @throws AuthFault validation_failed */
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

/** `next` only when there is a next page; `last` always. */
export function pageHeaders(
  address: string,
  page: Page,
  total: number,
): Readonly<Record<string, string>> {
  const last = Math.max(1, Math.ceil(total / page.limit));
  const link = (to: number, rel: string): string =>
    `<${address}?page=${to}&per_page=${page.limit}>; rel="${rel}"`;
  const links = page.page < last ? [link(page.page + 1, "next")] : [];
  return { "x-total-count": String(total), link: [...links, link(last, "last")].join(", ") };
}

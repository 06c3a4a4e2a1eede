/** Calls the table API by plain requests that no well-behaved client would send. */

import type { TestServer } from "./server.ts";

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON, or undefined when it is none. */
  readonly json: unknown;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/**
 * Sends a request.
 * @param path The path below /rest/v1/, such as `canvas_state?select=id`
 */
export async function callTable(
  server: Pick<TestServer, "url" | "anonKey">,
  path: string,
  { method = "GET", headers = {}, body }: RawRequest = {},
): Promise<RawResponse> {
  const response = await fetch(`${server.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: server.anonKey,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body as BodyInit }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

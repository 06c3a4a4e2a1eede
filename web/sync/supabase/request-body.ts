/**
 * Body substitution: carries serialized drawings around the client library, both ways. supabase-js writes a body with
 * JSON.stringify and a replacer and parses an answer at once, which blocks the page for as long as the drawing is large
 * (docs/decisions/drawings-around-the-library.md), and our drawing is text already. So the library gets a placeholder,
 * and `fetch` puts the drawing in its place, or takes it out.
 */

import { LIMITS } from "../../../board/constants.ts";
import { type Span, findMembers } from "../../../board/json-text.ts";
import { isSource } from "../../../board/encode.ts";
import { utf8Length } from "../../../board/validate.ts";
import type { DrawingText } from "../environment/backend.ts";

export interface BodySubstitution {
  /** Returns a placeholder for the drawing: until `leave`, a body that contains it goes out with the drawing. */
  enter(text: DrawingText): string;
  leave(placeholder: string): void;
  /** Returns what a response's column contained: the text of the drawing where the library got a placeholder, else the value. */
  drawingOf(value: unknown): unknown;
  /** For the client library. */
  readonly fetch: typeof fetch;
  /** The same for requests that outlive the page. The response to one that the service worker sends is empty. */
  readonly unloadFetch: typeof fetch;
  /** The largest drawing in bytes that `unloadFetch` can send now. */
  readonly unloadLimit: number;
}

/** The event of a request's signal for each part of its response that arrives. */
export const PART = "part";

/** A longer body is sent as a Blob, whose pieces need not be joined first. */
const BLOB_BYTES = 256 * 1024;

/** A browser lets an unloading page send 64 KB in all; the rest is for headers and envelope. */
const KEEPALIVE_BYTES = 60_000;

/** `send` does the requests; `worker` sends what is too large for an unloading page. */
export function createBodySubstitution(
  send: typeof fetch,
  worker?: UnloadWorker,
  pause?: () => Promise<void>,
): BodySubstitution {
  const drawings = new Map<string, DrawingText>();
  const received = new Map<string, string>();
  const toBlob = createBlobs();
  /** No peer can guess it: a drawing that is the text of a placeholder stays a text. */
  const secret = Math.random().toString(36).slice(2);
  let count = 0;
  const makePlaceholder = (): string => `${secret} ${(count += 1)}`;

  const takeOut = async (response: Response, signal?: AbortSignal | null): Promise<Response> => {
    const parts = new TransformStream<BufferSource, BufferSource>({
      transform(part, out) {
        signal?.dispatchEvent(new Event(PART));
        out.enqueue(part);
      },
    });
    const text = await new Response(response.body?.pipeThrough(parts)).text();
    const span = await findDrawing(text, pause);
    // The headers about the length of what was transferred mean nothing to the library.
    // A response without content, such as 204, may have no body, not even an empty one.
    if (span === null) return new Response(text || null, response);
    const placeholder = makePlaceholder();
    received.set(placeholder, text.slice(span.start, span.end));
    const rest = text.slice(0, span.start) + JSON.stringify(placeholder) + text.slice(span.end);
    return new Response(rest, response);
  };

  const substitute = (body: string, asText: boolean): BodyInit => {
    for (const [placeholder, text] of drawings) {
      const [before, after] = body.split(JSON.stringify(placeholder));
      if (before === undefined || after === undefined) continue;
      const parts = [before, ...text.pieces, after];
      return asText || text.bytes <= BLOB_BYTES ? parts.join("") : toBlob(parts);
    }
    return body;
  };
  const withBody = (init: RequestInit = {}, asText = false): RequestInit =>
    typeof init.body === "string" ? { ...init, body: substitute(init.body, asText) } : init;

  return {
    enter(text) {
      const placeholder = makePlaceholder();
      drawings.set(placeholder, text);
      return placeholder;
    },
    leave: (placeholder) => void drawings.delete(placeholder),
    drawingOf(value) {
      if (typeof value !== "string") return value;
      const text = received.get(value);
      received.delete(value);
      return text ?? value;
    },
    async fetch(input, init) {
      const response = await send(input, withBody(init));
      const isRead = (init?.method ?? "GET") === "GET" && response.ok;
      return isRead ? takeOut(response, init?.signal) : response;
    },
    unloadFetch(input, init) {
      const request = withBody(init, true);
      const { body } = request;
      if (typeof body !== "string" || utf8Length(body) <= KEEPALIVE_BYTES || !worker?.isReady)
        return send(input, { ...request, keepalive: true });
      worker.send({
        url: new Request(input).url,
        method: request.method ?? "GET",
        headers: [...new Headers(request.headers)],
        body,
      });
      return Promise.resolve(new Response(null, { status: 204 }));
    },
    get unloadLimit() {
      return worker?.isReady ? LIMITS.canvasBytes : KEEPALIVE_BYTES;
    },
  };
}

/** A shorter source is copied for each body: a `Blob` of its own takes the browser longer. */
const OWN_BLOB_CHARS = 8 * 1024;

/**
 * Returns a function that joins the pieces of a body. The long source of a picture that the body before had too is not
 * copied again.
 */
function createBlobs(): (pieces: readonly string[]) => Blob {
  let blobs: ReadonlyMap<string, Blob> = new Map();
  return (pieces) => {
    const sources = pieces.filter((piece) => piece.length >= OWN_BLOB_CHARS && isSource(piece));
    blobs = new Map(sources.map((source) => [source, blobs.get(source) ?? new Blob([source])]));
    return new Blob(pieces.map((piece) => blobs.get(piece) ?? piece));
  };
}

/** A shorter response is parsed by the library in less than a slice. */
const SLICED_CHARS = 64 * 1024;

/** Returns where the drawing stands in the text of a list of one row; null when there is none. */
async function findDrawing(text: string, pause?: () => Promise<void>): Promise<Span | null> {
  if (text.length < SLICED_CHARS || !text.startsWith("[")) return null;
  const slices = findMembers(text.slice(1, -1));
  try {
    for (;;) {
      const step = slices.next();
      if (step.done !== true) {
        await pause?.();
        continue;
      }
      const span = step.value.get("canvas_json");
      if (span === undefined || text.charAt(span.start + 1) !== "{") return null;
      return { start: span.start + 1, end: span.end + 1 };
    }
  } catch {
    // Not one row: the library says what it thinks of it.
    return null;
  }
}

/** The arguments of `fetch`, in a form that can be posted to the service worker. */
export interface UnloadRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export interface UnloadWorker {
  /** Whether the service worker is active. */
  readonly isReady: boolean;
  /** Posts the request before it returns. The response is lost. */
  send(request: UnloadRequest): void;
}

/**
 * Registers the service worker. `container` is undefined in a browser without service workers, which
 * includes pages that were not served securely.
 */
export function registerUnloadWorker(
  container: ServiceWorkerContainer | undefined,
  url: string,
): UnloadWorker {
  let registration: ServiceWorkerRegistration | null = null;
  container?.register(url).then(
    (registered) => {
      registration = registered;
    },
    // Without a worker, a drawing that is too large for an unloading page waits in the journal.
    () => undefined,
  );
  return {
    get isReady() {
      return registration?.active != null;
    },
    send: (request) => registration?.active?.postMessage(request),
  };
}

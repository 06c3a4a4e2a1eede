/** What a page sends: its broadcasts, and its requests to the table. */

import type { Page } from "@playwright/test";

export interface Broadcast {
  readonly event: string;
  /** Size of the payload. */
  readonly bytes: number;
  readonly payload: unknown;
}

export interface Traffic {
  readonly broadcasts: readonly Broadcast[];
  /** `GET`, `POST` or `PATCH` and what follows the table's name, in order. */
  readonly table: readonly string[];
}

/** Listens from now on; to be called before the page is opened. */
export function watchTraffic(page: Page): Traffic {
  const broadcasts: Broadcast[] = [];
  const table: string[] = [];
  page.on("request", (request) => {
    const at = request.url().indexOf("/rest/v1/canvas_state");
    if (at >= 0 && request.method() !== "OPTIONS")
      table.push(`${request.method()} ${decodeURIComponent(request.url().slice(at + 21))}`.trim());
  });
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const broadcast = typeof payload === "string" ? null : parseFrame(payload);
      if (broadcast !== null) broadcasts.push(broadcast);
    }),
  );
  return { broadcasts, table };
}

/** Kind 3 of protocol version 2: seven bytes of lengths, the texts, then the payload. */
function parseFrame(frame: Buffer): Broadcast | null {
  if (frame[0] !== 3) return null;
  const [joinRef = 0, ref = 0, topic = 0, event = 0, meta = 0] = frame.subarray(1, 6);
  const eventAt = 7 + joinRef + ref + topic;
  const payload = frame.subarray(eventAt + event + meta);
  return {
    event: frame.toString("utf8", eventAt, eventAt + event),
    bytes: payload.length,
    payload: JSON.parse(payload.toString("utf8")),
  };
}

/** The `canvas-update` broadcasts alone. */
export function updatesOf(traffic: Traffic): readonly Broadcast[] {
  return traffic.broadcasts.filter(({ event }) => event === "canvas-update");
}

/** The requests that write. */
export function writesOf(traffic: Traffic): readonly string[] {
  return traffic.table.filter((request) => !request.startsWith("GET"));
}

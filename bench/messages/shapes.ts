/** Messages that cost a careless server the most, each of nearly the greatest size that is received. */

const MB = 1_048_576;
/** Greatest number of bytes of a drawing, and of a frame or body. */
const DRAWING = 10 * MB;
const FRAME = 16 * MB;
const TOPIC = "realtime:canvas-room";

const VALUES: Readonly<Record<string, (bytes: number) => string>> = {
  "empty objects": (bytes) => `[${"{},".repeat(bytes / 3)}{}]`,
  "empty lists": (bytes) => `[${"[],".repeat(bytes / 3)}[]]`,
  numbers: (bytes) => `[${"0,".repeat(bytes / 2)}0]`,
  "nested lists": (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "equal names": (bytes) => `{${'"a":0,'.repeat(bytes / 6)}"b":0}`,
  "different names": (bytes) =>
    `{${Array.from({ length: bytes / 13 }, (_, at) => `"n${String(at).padStart(7, "0")}":0`).join()}}`,
  escapes: (bytes) => `"${"\\u0041".repeat(bytes / 6)}"`,
  "one text": (bytes) => `"${"x".repeat(bytes)}"`,
  "no end": (bytes) => `[${"{},".repeat(bytes / 3)}`,
};

/** A way by which a value reaches the server: a frame of a WebSocket, or a body for a path. */
export interface Way {
  path: string | null;
  message: (value: string) => string;
  bytes: number;
}

const broadcast = (topic: string) => (value: string) =>
  `["1","2","${topic}","broadcast",{"type":"broadcast","event":"e","payload":${value}}]`;

export const WAYS: Readonly<Record<string, Way>> = {
  "presence, topic not joined": {
    path: null,
    message: (value) => `[null,"1","realtime:x","presence",${value}]`,
    bytes: FRAME,
  },
  "join, protocol 1.0.0": {
    path: null,
    message: (value) =>
      `{"payload":${value},"ref":"1","event":"phx_join","topic":"${TOPIC}","join_ref":"1"}`,
    bytes: FRAME,
  },
  "broadcast, topic not joined": { path: null, message: broadcast("realtime:x"), bytes: FRAME },
  "broadcast on the board": { path: null, message: broadcast(TOPIC), bytes: DRAWING },
  "broadcast over HTTP": {
    path: "/realtime/v1/api/broadcast/x/events/e",
    message: (value) => value,
    bytes: DRAWING,
  },
  "list over HTTP": {
    path: "/realtime/v1/api/broadcast",
    message: (value) => `{"messages":[{"topic":"x","event":"e","payload":${value}}]}`,
    bytes: DRAWING,
  },
  "list of messages over HTTP": {
    path: "/realtime/v1/api/broadcast",
    message: (value) => `{"messages":${value}}`,
    bytes: DRAWING,
  },
};

/** Greatest number of bytes around a value. */
const AROUND = 200;

/** Returns the message of a way and a value, by their names. */
export function messageOf(way: Way, value: string): string {
  const make = VALUES[value] ?? (() => "");
  return way.message(make(way.bytes - AROUND));
}

export const VALUE_NAMES: readonly string[] = Object.keys(VALUES);

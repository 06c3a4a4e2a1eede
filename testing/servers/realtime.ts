/** A realtime server on a free port, and a bare client that speaks frames. */

import Fastify, { type FastifyInstance } from "fastify";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";
import { readAllSettings } from "../../server/all-settings.ts";
import { createLocalCluster } from "../../server/cluster/local.ts";
import type { Cluster } from "../../server/cluster/port.ts";
import { respectLinks } from "../../server/access/access.ts";
import type { HostAccess, Newcomers } from "../../server/access/port.ts";
import { OPEN_BOARD } from "./open-board.ts";
import type { ServerEnvironment } from "../../server/port.ts";
import { createDrain, type Drain } from "../../server/process/drain.ts";
import { materialOfSecret } from "../../server/keys/material.ts";
import type { Claims, KeyRing, Role } from "../../server/keys/port.ts";
import { createKeyRing } from "../../server/keys/ring.ts";
import { createLogger } from "../../server/process/log.ts";
import { registerRealtime } from "../../server/realtime/register.ts";
import type { Variables } from "../../server/settings/read.ts";

const SECRET = "a secret of at least thirty-two characters";

/** A database whose row never changes. */
const UNCHANGING = {
  rowChanges: {
    watch: () => Promise.resolve({ stop: () => {} }),
    readable: () => Promise.resolve(["id"]),
  },
};

interface RealtimeOptions {
  readonly env?: Variables;
  readonly clock?: () => number;
  readonly cluster?: Cluster;
  /** The lock and the links; without it, a board that is never locked. */
  readonly access?: HostAccess;
  /** The limits of newcomers; without it nothing is limited. */
  readonly newcomers?: Newcomers;
  /** Returns the columns of the row that a role may read; without it, at once the id. */
  readonly readable?: () => Promise<string[]>;
  /** The port; 0, the default, picks a free one. */
  readonly port?: number;
}

export interface RealtimeServer {
  readonly app: FastifyInstance;
  readonly keys: KeyRing;
  readonly origin: string;
  readonly port: number;
  readonly log: readonly string[];
  readonly drain: Drain;
  /** Returns a token of this role, which is valid for `seconds` (an hour) from now. */
  readonly token: (role: Role, seconds?: number) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function startRealtime(options: RealtimeOptions = {}): Promise<RealtimeServer> {
  const clock = options.clock ?? Date.now;
  const read = await readAllSettings(options.env ?? {}, "/");
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const keys = await createKeyRing(materialOfSecret(SECRET), clock);
  const access = options.access ?? OPEN_BOARD;
  const log: string[] = [];
  const cluster = options.cluster ?? createLocalCluster();
  const drain = createDrain();
  const deps: Omit<ServerEnvironment, "database"> & { readonly database: typeof UNCHANGING } = {
    settings: read.all.settings,
    keys: respectLinks(keys, access),
    access,
    newcomers: options.newcomers ?? null,
    database: {
      rowChanges: {
        ...UNCHANGING.rowChanges,
        ...(options.readable && { readable: options.readable }),
      },
    },
    cluster,
    drain,
    log: createLogger("debug", (line) => void log.push(line), clock),
    clock,
  };
  const app = Fastify();
  // The realtime channel uses only the row changes of a database.
  await registerRealtime(app, deps as unknown as ServerEnvironment, read.all.realtime);
  await app.listen({ host: "127.0.0.1", port: options.port ?? 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    keys,
    origin: `http://127.0.0.1:${port}`,
    port,
    log,
    drain,
    token: (role, seconds = 3600) =>
      keys.sign({ role, exp: Math.floor(clock() / 1000) + seconds } as Claims),
    stop: async () => {
      await app.close();
      await cluster.close();
    },
  };
}

/** A text frame of either version, or a broadcast (kind 4), as the fields that tests examine. */
interface Frame {
  readonly topic: string;
  readonly event: string;
  readonly payload: any;
  readonly ref: string | null;
  readonly joinRef: string | null;
  /** The payload's bytes, for kind 4. */
  readonly bytes?: Buffer;
}

export interface BareClient {
  readonly socket: WebSocket;
  readonly frames: readonly Frame[];
  /** The cookie that the handshake has set, as a browser presents it; "" for none. */
  readonly cookie: string;
  /** Resolves with code and reason. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(frame: unknown): void;
  /** Sends a message in the client's version; returns its ref. */
  push(topic: string, event: string, payload: unknown, joinRef?: string | null): string;
  /** Joins and waits for the reply; returns the join's ref. */
  join(topic: string, config?: object, more?: object): Promise<string>;
  /** Returns the next unused frame that fits, and uses up all frames up to it. */
  next(fits: (frame: Frame) => boolean): Promise<Frame>;
  reply(ref: string): Promise<{ status: string; response: any }>;
  /**
   * Sends a heartbeat and waits for its reply: everything sent before has been handled, and everything written before
   * has arrived.
   */
  settled(): Promise<void>;
  close(): void;
}

export async function openClient(
  server: { readonly port: number; readonly keys: Pick<KeyRing, "anonKey"> },
  options: { vsn?: 1 | 2; apikey?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<BareClient> {
  const vsn = options.vsn ?? 2;
  const key = options.apikey ?? server.keys.anonKey;
  const socket = new WebSocket(
    `ws://127.0.0.1:${server.port}/realtime/v1/websocket?apikey=${key}&vsn=${vsn}.0.0`,
    { headers: options.headers ?? {} },
  );
  const frames: Frame[] = [];
  let taken = 0;
  let wake: () => void = () => {};
  let refs = 0;
  let ended: Error | null = null;
  let cookie = "";
  socket.once("upgrade", ({ headers: { "set-cookie": set } }) => {
    cookie = set?.[0]?.split(";")[0] ?? "";
  });
  socket.on("message", (data, isBinary) => {
    frames.push(isBinary ? readBroadcast(data as Buffer) : readText((data as Buffer).toString()));
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on("close", (code, reason) => {
      ended = new Error(`closed: ${code} ${String(reason)}`);
      wake();
      resolve({ code, reason: String(reason) });
    }),
  );
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.on("error", reject);
  });
  const client: BareClient = {
    socket,
    frames,
    closed,
    get cookie() {
      return cookie;
    },
    send: (frame) =>
      socket.send(
        typeof frame === "string" || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame),
      ),
    push: (topic, event, payload, joinRef = null) => {
      const ref = String(++refs);
      const join_ref = event === "phx_join" ? ref : joinRef;
      client.send(
        vsn === 2
          ? [join_ref, ref, topic, event, payload]
          : { topic, event, payload, ref, join_ref },
      );
      return ref;
    },
    join: async (topic, config = {}, more = {}) => {
      const ref = client.push(topic, "phx_join", { config, ...more });
      const { status, response } = await client.reply(ref);
      if (status !== "ok") throw new Error(String(response.reason));
      return ref;
    },
    next: async (fits) => {
      for (;;) {
        while (taken < frames.length) {
          const frame = frames[taken++]!;
          if (fits(frame)) return frame;
        }
        if (ended !== null) throw ended;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    reply: async (ref) =>
      (await client.next((frame) => frame.event === "phx_reply" && frame.ref === ref)).payload,
    settled: async () => {
      await client.reply(client.push("phoenix", "heartbeat", {}));
    },
    close: () => socket.terminate(),
  };
  return client;
}

function readText(text: string): Frame {
  const parsed = JSON.parse(text);
  const [joinRef, ref, topic, event, payload] = Array.isArray(parsed)
    ? parsed
    : [parsed.join_ref ?? null, parsed.ref, parsed.topic, parsed.event, parsed.payload];
  return { topic, event, payload, ref, joinRef };
}

/** Reads a broadcast of kind 4. */
function readBroadcast(data: Buffer): Frame {
  const [kind, topic, event, meta, encoding] = data as unknown as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (kind !== 4) throw new Error(`a frame of kind ${kind}`);
  const names = 5;
  const start = names + topic + event + meta;
  const bytes = data.subarray(start);
  return {
    topic: data.toString("utf8", names, names + topic),
    event: "broadcast",
    payload: {
      type: "broadcast",
      event: data.toString("utf8", names + topic, names + topic + event),
      payload: encoding === 1 ? JSON.parse(bytes.toString()) : bytes,
    },
    ref: null,
    joinRef: null,
    bytes,
  };
}

interface PushFields {
  readonly joinRef?: string;
  readonly ref?: string;
  readonly topic: string;
  readonly event: string;
  readonly meta?: string;
  readonly encoding?: number;
  readonly payload: Buffer | string;
}

/** Returns a broadcast of kind 3, as a client of vsn 2.0.0 sends it. */
export function makePush(fields: PushFields): Buffer {
  const parts = [
    fields.joinRef ?? "",
    fields.ref ?? "",
    fields.topic,
    fields.event,
    fields.meta ?? "",
  ].map((text) => Buffer.from(text));
  return Buffer.concat([
    Buffer.from([3, ...parts.map((part) => part.length), fields.encoding ?? 1]),
    ...parts,
    Buffer.from(fields.payload),
  ]);
}

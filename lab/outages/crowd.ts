/** Many sockets on one topic, which know the process that each is on, and count what does not arrive. */

import { WebSocket } from "ws";
import { PROCESS_HEADER } from "../installation/open.ts";
import { sleep, type Undo } from "../installation/tools.ts";

const TOPIC = "realtime:outages";
/** Milliseconds between two messages, of which each comes from another socket. */
const GAP = 200;
/** Milliseconds after a message in which it may arrive. */
const ARRIVES = 4_000;
/** Milliseconds after a close until a socket comes back, as the library waits; spread, as many libraries are. */
const BACK = [500, 1_500] as const;
const HEARTBEAT = 20_000;

interface Member {
  /** While it has joined. */
  socket: WebSocket | null;
  process: string;
}

/** Deliveries: each message once for each socket that should receive it. */
interface Count {
  sent: number;
  lost: number;
}

interface Message {
  at: number;
  /** The number of each socket that was joined, and its process. */
  receivers: ReadonlyMap<number, string>;
  /** The sender's. */
  process: string;
  arrived: Set<number>;
}

export function openCrowd(
  undo: Undo[],
  { origin, key, count }: { origin: string; key: string; count: number },
) {
  const url = `${origin.replace("http", "ws")}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`;
  const messages = new Map<number, Message>();
  const closes = new Map<string, number>();
  let isOver = false;
  const note = (why: string) => closes.set(why, (closes.get(why) ?? 0) + 1);
  const receive = (text: string, at: number) => {
    const number = /"soak":(\d+)/.exec(text)?.[1];
    if (number !== undefined) messages.get(Number(number))?.arrived.add(at);
  };
  const members = Array.from({ length: count }, () => ({ socket: null, process: "" }) as Member);
  members.forEach((member, at) => {
    const text = (message: string) => receive(message, at);
    void keepOpen({ member, url, note, receive: text, isOver: () => isOver });
  });
  undo.push(() => {
    isOver = true;
    for (const { socket } of members) socket?.terminate();
  });
  void talk(members, messages, () => isOver);
  return {
    /** How many sockets have joined. */
    open: () => members.filter(({ socket }) => socket?.readyState === WebSocket.OPEN).length,
    /** Counts anew. */
    begin() {
      messages.clear();
      closes.clear();
    },
    /** What was counted since; without the newest messages, which may still be on their way. */
    end() {
      const within: Count = { sent: 0, lost: 0 };
      const across: Count = { sent: 0, lost: 0 };
      for (const { at, receivers, process, arrived } of messages.values()) {
        if (Date.now() - at < ARRIVES) continue;
        for (const [number, on] of receivers) {
          const kind = on === process ? within : across;
          kind.sent++;
          if (!arrived.has(number)) kind.lost++;
        }
      }
      return { within, across, closes: new Map(closes) };
    },
  };
}

/** Opens the socket, joins, and comes back whenever it is closed. */
async function keepOpen({
  member,
  url,
  note,
  receive,
  isOver,
}: {
  member: Member;
  url: string;
  note: (why: string) => void;
  receive: (text: string) => void;
  isOver: () => boolean;
}) {
  // Not all at once: what opens the page does not either.
  await sleep(Math.random() * 5_000);
  while (!isOver()) {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    const closed = new Promise<string>((resolve) => {
      socket.once("close", (code) => resolve(String(code)));
      socket.once("unexpected-response", (_request, { statusCode }) => {
        socket.terminate();
        resolve(`handshake ${statusCode}`);
      });
      socket.once("error", () => resolve("handshake cut"));
    });
    socket.on("upgrade", ({ headers }) => void (member.process = String(headers[PROCESS_HEADER])));
    socket.on("message", (data, isBinary) => {
      const text = (data as Buffer).toString();
      if (!isBinary && member.socket === null && text.includes('"phx_reply"'))
        member.socket = socket;
      receive(text);
    });
    socket.once("open", () => socket.send(JSON.stringify(["1", "1", TOPIC, "phx_join", {}])));
    const heartbeat = setInterval(() => {
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify([null, "2", "phoenix", "heartbeat", {}]));
    }, HEARTBEAT);
    const why = await closed;
    clearInterval(heartbeat);
    member.socket = null;
    if (!isOver()) note(`with ${why}`);
    await sleep(BACK[0] + Math.random() * (BACK[1] - BACK[0]));
  }
}

async function talk(
  members: readonly Member[],
  messages: Map<number, Message>,
  isOver: () => boolean,
) {
  for (let n = 1; !isOver(); n++) {
    await sleep(GAP);
    const from = (n * 7) % members.length;
    const sender = members[from];
    if (sender?.socket?.readyState !== WebSocket.OPEN) continue;
    const receivers = new Map<number, string>();
    for (const [at, { socket, process }] of members.entries())
      if (at !== from && socket?.readyState === WebSocket.OPEN) receivers.set(at, process);
    messages.set(n, { at: Date.now(), receivers, process: sender.process, arrived: new Set() });
    const payload = { type: "broadcast", event: "note", payload: { soak: n } };
    sender.socket.send(JSON.stringify(["1", String(n), TOPIC, "broadcast", payload]));
  }
}

/** People on raw TCP sockets: they count bytes instead of parsing frames, so that they cost little. */

import { connect, type Socket } from "node:net";

const TOPIC = "realtime:canvas-room";
const EVENT = "canvas-update";

/** Makes a client's frame; the mask is zero, which leaves the content unchanged. */
function clientFrame(opcode: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(6 + size);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (size === 0 ? length : size === 2 ? 126 : 127);
  if (size === 2) head.writeUInt16BE(length, 2);
  if (size === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, content]);
}

/** Returns JSON of about `bytes` bytes, such as a board has: ids, numbers and path texts. */
export function makePayload(bytes: number): string {
  const stroke = (n: number, points: number) => ({
    type: "Path",
    id: `abc1234567-${n}`,
    left: 100.5 + n,
    top: 200.1,
    path: `M1082.7 531.7${"q.5 1 1.2 2.7".repeat(points)}`,
  });
  const objects: object[] = [];
  const drawing: { clientId: string; json: { objects: object[] }; pad?: string } = {
    clientId: "0123456789abcdef",
    json: { objects },
  };
  const length = () => JSON.stringify(drawing).length;
  for (let n = 0; length() + 600 < bytes; n++) objects.push(stroke(n, 38));
  drawing.pad = "";
  drawing.pad = "x".repeat(Math.max(0, bytes - length()));
  return JSON.stringify(drawing);
}

/** Returns the frame that a client of the version sends, and its form for each receiver of the product. */
export function makeMessage(version: number, payload: string): Buffer {
  if (version === 1) {
    const names = `"payload":{"type":"broadcast","event":"${EVENT}","payload":${payload}}`;
    return clientFrame(
      1,
      Buffer.from(`{"topic":"${TOPIC}","event":"broadcast",${names},"ref":"17","join_ref":"1"}`),
    );
  }
  const names = ["1", "17", TOPIC, EVENT, ""].map((text) => Buffer.from(text));
  return clientFrame(
    2,
    Buffer.concat([
      Buffer.from([3, ...names.map((name) => name.length), 1]),
      ...names,
      Buffer.from(payload),
    ]),
  );
}

const JOIN = { config: { broadcast: { ack: false, self: false }, presence: { enabled: false } } };

export class Person {
  received = 0;
  readonly socket: Socket;
  #waiting: ((chunk: Buffer) => void) | null = null;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.setNoDelay();
    this.socket.on("error", () => {});
    this.socket.on("data", (chunk: Buffer) => {
      this.received += chunk.length;
      this.#waiting?.(chunk);
    });
  }

  #chunk(): Promise<Buffer> {
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  async enter(version: number, join: boolean, key: string): Promise<void> {
    this.socket.write(
      `GET /realtime/v1/websocket?apikey=${key}&vsn=${version}.0.0 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n` +
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    );
    const answer = await this.#chunk();
    if (!answer.toString("latin1").startsWith("HTTP/1.1 101")) throw new Error(String(answer));
    if (join) {
      const frame =
        version === 2
          ? ["1", "1", TOPIC, "phx_join", JOIN]
          : { topic: TOPIC, event: "phx_join", payload: JOIN, ref: "1", join_ref: "1" };
      this.socket.write(clientFrame(1, Buffer.from(JSON.stringify(frame))));
      const reply = await this.#chunk();
      if (!reply.includes('"ok"')) throw new Error(String(reply));
    }
    this.#waiting = null;
    this.received = 0;
  }
}

export async function gather(
  port: number,
  count: number,
  version: number,
  join: boolean,
  key = "key",
): Promise<Person[]> {
  const people: Person[] = [];
  for (let n = 0; n < count; n += 50) {
    const some = Array.from({ length: Math.min(50, count - n) }, () => new Person(port));
    await Promise.all(some.map((person) => person.enter(version, join, key)));
    people.push(...some);
  }
  return people;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const total = (people: readonly Person[]) =>
  people.reduce((sum, person) => sum + person.received, 0);

/** Waits until `bytes` have arrived since `before`, and nothing follows them. */
async function arrived(people: readonly Person[], before: number, bytes: number) {
  for (let tries = 0; total(people) - before < bytes && tries < 1000; tries++) await wait(20);
  for (let last = -1; last !== total(people); await wait(150)) last = total(people);
  return total(people) - before;
}

export interface Talk {
  /** The number of messages a second in all. */
  rate: number;
  seconds: number;
  random: () => number;
  /** Bytes of one message for one receiver. */
  size: number;
}

/**
 * Everybody sends in turn, at random moments, `rate` messages a second in all, for `seconds`; `size` is the bytes of
 * one message for one receiver. Returns the numbers of sent and of delivered messages.
 */
export async function talk(
  people: readonly Person[],
  frame: Buffer,
  { rate, seconds, random, size }: Talk,
): Promise<{ sent: number; delivered: number }> {
  const before = total(people);
  const start = performance.now();
  let due = 0;
  let sent = 0;
  while (due < seconds * 1000) {
    const now = performance.now() - start;
    while (due <= now && due < seconds * 1000) {
      people[sent++ % people.length]?.socket.write(frame);
      due += (-Math.log(1 - random()) * 1000) / rate;
    }
    await wait(1);
  }
  const bytes = await arrived(people, before, sent * (people.length - 1) * size);
  return { sent, delivered: bytes / size };
}

/** Returns the bytes of one message for one receiver, found by sending one alone. */
export async function probe(people: readonly Person[], frame: Buffer): Promise<number> {
  const before = total(people);
  people[0]?.socket.write(frame);
  return (await arrived(people, before, people.length - 1)) / (people.length - 1);
}

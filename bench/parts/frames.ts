/** Measures prepared frames written to the TCP sockets beside ws.send: CPU time for each delivery to 1,000 receivers. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { gather } from "../fanout/people.ts";
import { compare, digits, table } from "../../lab/measuring/figures.ts";

const RECEIVERS = 1_000;
const SIZES = [200, 2_000, 16_000];
/** Numbers of messages that are sent to everybody together. */
const BATCHES = [1, 3];
const MESSAGES = 90;

export async function measureFrames(rounds: number): Promise<string> {
  const child = fork(fileURLToPath(new URL("frames-server.ts", import.meta.url)));
  const [{ port }] = await once(child, "message");
  const people = await gather(port, RECEIVERS, 2, false);
  const received = () => people.reduce((sum, person) => sum + person.received, 0);

  const rows = [];
  for (const bytes of SIZES)
    for (const batch of BATCHES) {
      const measure = (way: string) => async () => {
        const before = received();
        child.send({ way, bytes, batch, rounds: MESSAGES / batch });
        const [{ cpu }] = await once(child, "message");
        while (received() - before < MESSAGES * RECEIVERS * bytes)
          await new Promise((resolve) => setTimeout(resolve, 20));
        return cpu / MESSAGES / RECEIVERS;
      };
      const times = await compare({ send: measure("send"), frame: measure("frame") }, rounds);
      rows.push([
        bytes.toLocaleString("en"),
        batch,
        digits(times.send),
        digits(times.frame),
        digits(times.send / times.frame),
      ]);
    }
  for (const person of people) person.socket.destroy();
  child.disconnect();
  await once(child, "exit");
  return table(
    ["bytes of a message", "messages at once", "ws.send, µs", "prepared frame, µs", "ratio"],
    rows,
  );
}

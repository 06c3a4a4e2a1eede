/** Reads the memory of a process of the product without garbage, by its inspector. */

import { once } from "node:events";
import { WebSocket } from "ws";

/** Matches the lines that Node.js itself writes about it. */
export const INSPECTOR_LINE = /^(?:Debugger |For help, see: |Waiting for the debugger)/;

/**
 * Collects garbage, which takes a few hundredths of a second.
 *
 * @param address The `ws:` address that Node.js writes at the start.
 * @returns Bytes of the JavaScript heap that are in use afterwards.
 */
export async function collectedHeap(address: string): Promise<number> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  await once(socket, "open");
  try {
    await call(socket, 1, "HeapProfiler.collectGarbage", {});
    const expression = "process.memoryUsage().heapUsed";
    const { result } = await call(socket, 2, "Runtime.evaluate", { expression });
    return result.value;
  } finally {
    socket.terminate();
  }
}

async function call(socket: WebSocket, id: number, method: string, params: object) {
  socket.send(JSON.stringify({ id, method, params }));
  for (;;) {
    const [data] = await once(socket, "message");
    const message = JSON.parse(String(data));
    if (message.id === id) return message.result;
  }
}

/** WebDriver BiDi: commands with numbers and events, as JSON on a WebSocket. */

import WebSocket from "ws";

export interface Bidi {
  /**
   * Sends a command.
   * @throws Error with the command and the browser's message
   */
  readonly send: <T>(method: string, params: object) => Promise<T>;
  close(): void;
}

interface Message {
  readonly type: "success" | "error" | "event";
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

export async function connectBidi(
  url: string,
  onEvent: (method: string, params: unknown) => void,
): Promise<Bidi> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const waiting = new Map<number, (message: Message) => void>();
  let last = 0;
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.method !== undefined) onEvent(message.method, message.params);
  });
  socket.on("close", () => {
    for (const end of waiting.values()) end({ type: "error", message: "the browser is gone" });
  });
  return {
    send: <T>(method: string, params: object) =>
      new Promise<T>((resolve, reject) => {
        const id = ++last;
        waiting.set(id, (message) => {
          waiting.delete(id);
          if (message.type === "success") resolve(message.result as T);
          else reject(new Error(`${method}: ${message.error ?? ""} ${message.message ?? ""}`));
        });
        socket.send(JSON.stringify({ id, method, params }));
      }),
    close: () => socket.terminate(),
  };
}

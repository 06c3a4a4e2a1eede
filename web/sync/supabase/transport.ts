/** The sockets of the client library. */

import type { RealtimeClientOptions } from "@supabase/realtime-js";

export type Transport = NonNullable<RealtimeClientOptions["transport"]>;

/** Milliseconds after which a handshake without an answer is given up: Chromium would wait for four minutes. */
export const HANDSHAKE_LIMIT = 20_000;

/**
 * Returns a class of sockets that count as closed as soon as `close` is called; what was sent before is still delivered.
 * Phoenix 0.4 waits until a socket is closed, and may begin the next one meanwhile, as on a page that the browser kept
 * and shows again: the end of the first one would keep it from noticing that of the second. A handshake is not broken
 * off, which would be a warning on the console: its socket is closed when it opens.
 */
export function withPromptEnd(Base: Transport): Transport {
  return class extends Base {
    private ended = false;

    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      const limit = setTimeout(() => super.close(), HANDSHAKE_LIMIT);
      this.addEventListener("open", () => {
        clearTimeout(limit);
        if (this.ended) super.close();
      });
    }

    override get readyState(): number {
      return this.ended ? this.CLOSED : super.readyState;
    }

    override get bufferedAmount(): number {
      return 0;
    }

    override close(code?: number, reason?: string): void {
      if (this.ended) return;
      const isOpened = super.readyState > this.CONNECTING;
      if (isOpened) super.close(code, reason);
      this.ended = true;
      if (isOpened) this.onclose?.(new Event("close") as CloseEvent);
    }
  };
}

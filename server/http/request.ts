/** Serves a request that offers another protocol than WebSocket as if it offered none (RFC 9110, 7.8). */

import { IncomingMessage } from "node:http";

/**
 * A request of which only a WebSocket handshake becomes an `upgrade` event. Node.js reads `upgrade` when the headers
 * are complete, and handles every offer alike once the server has a listener: the h2c of Java and of curl as well.
 * `shouldUpgradeCallback`, which decides the same, is missing before 22.21.
 */
export class HttpRequest extends IncomingMessage {
  /** Whether the parser found an offer, or CONNECT. The constructor of Node.js sets it before fields exist. */
  declare private offered: boolean | null;

  get upgrade(): boolean {
    const isHandshake = this.headers.upgrade?.toLowerCase() === "websocket";
    return this.offered === true && (isHandshake || this.method === "CONNECT");
  }

  set upgrade(offered: boolean | null) {
    this.offered = offered;
  }
}

/** A peer without a page: a socket whose presence and pointer the pages of a test see. */

import { encodeLive, EVENTS } from "../../board/messages.ts";
import { makePush, openClient } from "../../testing/servers/realtime.ts";
import type { Product } from "../product.ts";

const TOPIC = "realtime:canvas-room";

export interface Peer {
  /** Moves the pointer to a point of the board. */
  point(x: number, y: number): void;
  leave(): void;
}

/** Enters the board as a peer with this clientId. */
export async function enterAsPeer(product: Product, clientId = "peer"): Promise<Peer> {
  const { supabaseAnonKey: anonKey } = await (await fetch(`${product.url}/config.json`)).json();
  const port = Number(new URL(product.url).port);
  const client = await openClient({ port, keys: { anonKey } });
  const presence = { key: clientId, enabled: true, summary: true };
  const joinRef = await client.join(TOPIC, { presence });
  const payload = { online_at: new Date().toISOString(), partial: true, name: `Name ${clientId}` };
  await client.reply(
    client.push(TOPIC, "presence", { type: "presence", event: "track", payload }, joinRef),
  );
  let tick = 0;
  return {
    point(x, y) {
      tick += 1;
      const live = JSON.stringify(encodeLive({ clientId, tick, ink: [], pointer: { x, y } }));
      client.send(makePush({ topic: TOPIC, event: EVENTS.live, payload: live }));
    },
    leave: () => client.close(),
  };
}

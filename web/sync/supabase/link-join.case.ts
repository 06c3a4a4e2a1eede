/** The token of a link that arrives while the channel is being joined, on a real server. */

import { expect } from "vitest";
import { WebSocket } from "ws";
import { EVENTS } from "../../../board/messages.ts";
import { BOARD, broadcast, hostSecret, joinBoard } from "../../../testing/servers/board-host.ts";
import type { TestServer } from "../../../testing/servers/server.ts";
import { openSupabaseBackend, type SupabaseExtras } from "./supabase.ts";

/** Opens a host's link on a server, and expects that its token counts on the channel. */
export async function joinBeforeToken(server: TestServer): Promise<void> {
  const member = await joinBoard(server);
  let joining = (): void => undefined;
  const hasJoined = new Promise<void>((resolve) => (joining = resolve));
  let answered = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answered = resolve));

  /** Sends the join only when the token has been answered, and all that follows from it at once has run. */
  class SlowSocket extends WebSocket {
    override send(data: unknown, ...rest: never[]): void {
      const go = (): void => super.send(data as string, ...rest);
      if (!String(data).includes("phx_join")) return go();
      joining();
      void isAnswered.then(() => setImmediate(go));
    }
  }

  const backend = openSupabaseBackend(
    {
      supabaseUrl: server.url,
      supabaseAnonKey: server.anonKey,
      link: { kind: "host", secret: await hostSecret(server, {}) },
    },
    {
      transport: SlowSocket as unknown as NonNullable<SupabaseExtras["transport"]>,
      fetch: async (input, init) => {
        const { url } = new Request(input, init);
        const response = await fetch(input, init);
        if (!url.endsWith("/host/v1/token")) return response;
        await hasJoined;
        const body = await response.text();
        setImmediate(answered);
        return new Response(body, response);
      },
    },
  );
  const channel = await new Promise<ReturnType<typeof backend.openChannel>>((resolve) => {
    const opened = backend.openChannel("host", {
      status: (status) => {
        if (status === "joined") resolve(opened);
      },
      presence: () => undefined,
      broadcast: () => undefined,
    });
  });
  // Only a host may say so.
  channel.send(EVENTS.takenBack, { clientId: "host", keys: ["a"] });
  const frame = await member.next(({ topic, event }) => topic === BOARD && event === "broadcast");
  expect(JSON.stringify(frame.payload)).toContain(EVENTS.takenBack);
  expect(await broadcast(member, EVENTS.takenBack, { clientId: "me", keys: ["a"] })).toBe("error");
  await backend.close();
  member.close();
}

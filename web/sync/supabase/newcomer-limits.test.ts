/** The real client against a real server that limits what a newcomer adds. */

import { afterEach, expect, test } from "vitest";
import { startRealClient } from "../../../testing/sync/real-client.ts";
import { stroke } from "../../../testing/sync/test-bed.ts";
import { startServer, type TestServer } from "../../../testing/servers/server.ts";
import type { Notice, SyncClient } from "../port.ts";

let server: TestServer;
const clients: SyncClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
  await server.kill(true);
});

function enter(notices: Notice[]): SyncClient {
  const client = startRealClient(server);
  clients.push(client);
  client.onNotice((notice) => {
    if (notice.kind === "error") notices.push(notice);
  });
  return client;
}

test("HOST-54 a newcomer's strokes beyond the limit are explained, stay, and are saved and shown to others as soon as the board takes them", async () => {
  server = await startServer({ env: { NEWCOMER_OBJECTS: "1200" } });
  const notices: Notice[] = [];
  const [ann, ben] = [enter(notices), enter([])];
  for (const client of [ann, ben])
    await expect.poll(() => client.saveState.get().state, { timeout: 10_000 }).toBe("saved");
  const many = 1_300;
  ann.editor.add(Array.from({ length: many }, (_, index) => stroke(index)));
  await expect.poll(() => notices.length, { timeout: 10_000 }).toBe(1);
  expect(notices).toEqual([
    { kind: "error", text: "This board takes no more from you in this minute" },
  ]);
  await expect.poll(() => ann.saveState.get().state, { timeout: 30_000 }).toBe("saved");
  expect(ann.objects()).toHaveLength(many);
  await expect.poll(() => ben.objects().length, { timeout: 10_000 }).toBe(many);
}, 60_000);

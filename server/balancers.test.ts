import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { hasProxy, startBalancer } from "../testing/servers/proxies.ts";

/** Starts a process that is ready, and whose build has one file. */
async function startProcess(file: string): Promise<Server> {
  const server = createServer((request, response) => {
    response.statusCode = ["/readyz?for=traffic", file].includes(request.url ?? "") ? 200 : 404;
    response.end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => end(server));
  await once(server, "listening");
  return server;
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Requests the address on a new connection: on an old one a browser would repeat a request that fails. */
async function statusOf(address: string): Promise<number> {
  const [response] = (await once(get(address, { agent: false }), "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

for (const program of ["nginx", "haproxy"] as const)
  test.skipIf(!hasProxy(program))(
    `SRV-13 through ${program}, as the operator's page shows it, a file of either version is found while both processes serve, that of one while the other is down, and one of neither is 404`,
    async () => {
      const [one, two] = [
        await startProcess("/assets/one.js"),
        await startProcess("/assets/two.js"),
      ];
      const balancer = await startBalancer(program, [portOf(one), portOf(two)]);
      onTestFinished(() => balancer.stop());
      // Each process is the first choice of some of the requests.
      const statuses = async (file: string): Promise<ReadonlySet<number>> => {
        const found = new Set<number>();
        for (let n = 0; n < 6; n++) found.add(await statusOf(`${balancer.origin}/assets/${file}`));
        return found;
      };
      expect(await statuses("one.js")).toEqual(new Set([200]));
      expect(await statuses("two.js")).toEqual(new Set([200]));
      expect(await statuses("none.js")).toEqual(new Set([404]));
      end(two);
      expect(await statuses("one.js")).toEqual(new Set([200]));
      // HAProxy answers 503 to some of these until its check fails.
      if (program === "nginx") expect(await statuses("none.js")).toEqual(new Set([404]));
    },
  );

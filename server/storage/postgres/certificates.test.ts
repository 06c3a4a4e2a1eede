/** Tests what a start says of certificates that cannot be read or are not trusted. */

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../process/log.ts";
import { openPostgres } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "inkpool-certificates-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (address: string) =>
  openPostgres(
    `postgres://ink:hunter2@${address}`,
    createLogger("error", () => {}, Date.now),
  );

/** Makes a certificate that no authority has signed. Returns whether this machine can. */
function makeCertificate(): boolean {
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "certificate.pem")];
  return spawnSync("openssl", [...request, "-subj", "/CN=localhost", ...files]).status === 0;
}

test("SRV-6 a certificate file in DATABASE_URL that cannot be read is named", async () => {
  const path = join(folder, "none.pem");
  await expect(open(`127.0.0.1:1/ink?sslmode=verify-full&sslrootcert=${path}`)).rejects.toThrow(
    `DATABASE_URL cannot be used (ENOENT: no such file or directory, open '${path}'); expected files with certificates that can be read`,
  );
});

const can = makeCertificate();

test.skipIf(!can)(
  `SRV-6 a PostgreSQL whose certificate nobody trusts: the line says how to name its authority${can ? "" : " (skipped: no openssl)"}`,
  async () => {
    const read = (name: string): Buffer => readFileSync(join(folder, name));
    const server = createServer((socket) => {
      socket.on("error", () => {});
      // The request for TLS, which PostgreSQL accepts by an S.
      socket.once("data", () => {
        socket.write("S");
        const options = { isServer: true, key: read("key.pem"), cert: read("certificate.pem") };
        new TLSSocket(socket, options).on("error", () => {});
      });
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await expect(open(`localhost:${port}/ink?sslmode=verify-full`)).rejects.toThrow(
      /^DATABASE_URL cannot be used \([A-Z_]+\); expected a certificate for this host by an authority that Node\.js or sslrootcert=FILE names/,
    );
  },
);

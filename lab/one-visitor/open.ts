/** Opens the installation that is attacked: one process, on the embedded database or on a PostgreSQL of its own. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.ts";
import { openPostgres } from "../installation/postgres.ts";
import { createServerProcess, type Server } from "../installation/server.ts";
import { openSignUps } from "../installation/sign-ups.ts";
import type { Undo } from "../installation/tools.ts";

interface Attacked {
  server: Server;
  /** The public key. */
  key: string;
  dataDir: string;
  /** The lines of the server on level error, or outside its log. */
  failed: string[];
}

/**
 * Starts it with SAML on, and behind a proxy that identifies callers.
 *
 * @param undo Gets the functions that end and remove it.
 * @param onPostgres Whether it has a PostgreSQL.
 */
export async function openAttacked(undo: Undo[], onPostgres: boolean): Promise<Attacked> {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-visitor-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    TRUST_PROXY: "1",
    ...openSignUps(),
    GOTRUE_RATE_LIMIT_TOKEN_REFRESH: "1000",
  };
  if (onPostgres) {
    const postgres = await openPostgres(folder);
    undo.push(postgres.stop);
    env["DATABASE_URL"] = `postgres://postgres@127.0.0.1:${postgres.port}/postgres`;
  }
  const failed: string[] = [];
  const server = createServerProcess({
    name: "server",
    port: await freePort(),
    env,
    log: ({ level, message }) => {
      if (level === "error" || level === "none") failed.push(`the log says: ${message}`);
    },
  });
  undo.push(() => server.kill());
  await server.start();
  const config = await (await fetch(`${server.url}/config.json`)).json();
  const key = (config as { supabaseAnonKey: string }).supabaseAnonKey;
  return { server, key, dataDir, failed };
}

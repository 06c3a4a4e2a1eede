/** A host and others at a whole server: links, tokens, and the rights of each. */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, test } from "vitest";
import { openTestPostgres } from "./postgres.ts";
import { openClient, type BareClient } from "./realtime.ts";
import type { ServerAddress } from "./in-process.ts";
import type { TestServer } from "./server.ts";
import { callTable, type RawResponse } from "./table-client.ts";

const COMMAND = fileURLToPath(
  new URL("../../dist/server/server/host-link/main.js", import.meta.url),
);

/**
 * Has `examine` declare its tests for SQLite, and for PostgreSQL where this machine has a server; `makeEnv` resolves with
 * the variables of a new, empty database. `what` is in the name of the test that is skipped without one.
 */
export async function onBothDatabases(
  what: string,
  examine: (makeEnv: () => Promise<Record<string, string>>) => void,
): Promise<void> {
  const found = await openTestPostgres();
  afterAll(async () => {
    if (found.ok) await found.postgres.stop();
  });
  describe("on SQLite", () => examine(async () => ({})));
  if (found.ok)
    describe("on PostgreSQL", () =>
      examine(async () => ({ DATABASE_URL: await found.postgres.createDatabase() })));
  else test.skip(`${what} on PostgreSQL (${found.reason})`, () => {});
}

/** Returns the output of `npm run host-link` beside a server. `env` names its database. */
export async function runHostLink(
  server: Pick<TestServer, "dataDir" | "port">,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: server.dataDir,
      PORT: String(server.port),
      ...env,
    },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data) => (stdout += String(data)));
  child.stderr.on("data", (data) => (stderr += String(data)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr };
}

/** Returns the secret of the host link that the command prints. */
export async function hostSecret(
  server: Pick<TestServer, "dataDir" | "port">,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<string> {
  const { stdout, stderr } = await runHostLink(server, args, env);
  const secret = /#host=([\w-]{43})\n$/.exec(stdout)?.[1];
  if (secret === undefined) throw new Error(`no link: ${stdout}${stderr}`);
  return secret;
}

export interface Exchanged {
  readonly status: number;
  readonly body: {
    readonly access_token: string;
    readonly expires_in: number;
    readonly role: string;
    readonly draw?: string;
    readonly host?: string;
    readonly code?: string;
  };
}

export async function exchange(server: ServerAddress, secret: unknown): Promise<Exchanged> {
  return post(server, "token", { body: JSON.stringify({ secret }) });
}

/**
 * Posts to the host's API.
 * @param path behind /host/v1/
 */
export async function post(
  server: ServerAddress,
  path: string,
  { body = "{}", token }: { readonly body?: string; readonly token?: string },
): Promise<Exchanged> {
  const response = await fetch(`${server.url}/host/v1/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
  });
  return { status: response.status, body: (await response.json()) as Exchanged["body"] };
}

const as = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** Sets the lock with the token; without one, as anybody. */
export function setLock(
  server: ServerAddress,
  locked: boolean,
  token?: string,
): Promise<RawResponse> {
  return callTable(server, "canvas_settings?id=eq.1", {
    method: "PATCH",
    headers: as(token),
    body: JSON.stringify({ locked }),
  });
}

/** Saves a drawing into the only row, as the page does. @param address of a client behind a proxy */
export function save(
  server: ServerAddress,
  drawing: unknown,
  token?: string,
  address = "",
): Promise<RawResponse> {
  const from = address === "" ? {} : { "x-forwarded-for": address };
  return callTable(server, "canvas_state?version=gte.0&select=id", {
    method: "PATCH",
    headers: { ...as(token), ...from, prefer: "return=representation" },
    body: JSON.stringify({ canvas_json: drawing }),
  });
}

export const BOARD = "realtime:canvas-room";

/** Opens a client on the page's channel, joined with the token or with the public key. */
export async function joinBoard(
  server: ServerAddress,
  token?: string,
  address = "",
): Promise<BareClient & { readonly joinRef: string }> {
  const client = await openClient(
    { port: server.port, keys: { anonKey: server.anonKey } },
    address === "" ? {} : { headers: { "x-forwarded-for": address } },
  );
  const more = token === undefined ? {} : { access_token: token };
  const joinRef = await client.join(BOARD, { broadcast: { ack: true } }, more);
  return Object.assign(client, { joinRef });
}

/** Broadcasts an event with an acknowledgement; resolves to the reply's status. */
export async function broadcast(
  client: BareClient & { readonly joinRef: string },
  event: string,
  payload: object,
): Promise<string> {
  const message = { type: "broadcast", event, payload };
  return (await client.reply(client.push(BOARD, "broadcast", message, client.joinRef))).status;
}

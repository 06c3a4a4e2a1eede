/** Tests a board with a host, on both databases, through the whole server: what the lock refuses, and what it does not. */

import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  BOARD,
  exchange,
  hostSecret,
  joinBoard,
  onBothDatabases,
  post,
  runHostLink,
  save,
  setLock,
} from "../../testing/servers/board-host.ts";

import { startInProcess, type InProcessServer } from "../../testing/servers/in-process.ts";
import { callTable } from "../../testing/servers/table-client.ts";

import { DRAWING, examineChannel, SENTENCE } from "./host-channel.case.ts";

await onBothDatabases("a board with a host", examine);

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Resolves when the condition holds; the test's own time limit ends the wait. */
async function until(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, 50));
}

function examine(makeEnv: () => Promise<Record<string, string>>): void {
  let env: Record<string, string>;
  let server: InProcessServer;
  let secret = "";
  /** The output of the command for a server that listens on all addresses. */
  let printed = "";
  let host: string;
  let draw: string;
  let editor: string;
  const open: { close(): void }[] = [];
  const enter = async (token?: string) => {
    const client = await joinBoard(server, token);
    open.push(client);
    return client;
  };

  beforeAll(async () => {
    env = { GOTRUE_MAILER_AUTOCONFIRM: "true", ...(await makeEnv()) };
    server = await startInProcess(env);
    const owner = { apikey: server.serviceKey };
    const body = JSON.stringify({ canvas_json: DRAWING });
    await callTable(server, "canvas_state", { method: "POST", headers: owner, body });
    printed = (await runHostLink(server, [], { ...env, HOST: "::" })).stdout;
    secret = /#host=([\w-]{43})\n$/.exec(printed)?.[1] ?? "";
  });
  beforeEach(async () => {
    const asHost = await exchange(server, secret);
    host = asHost.body.access_token;
    draw = asHost.body.draw ?? "";
    editor = (await exchange(server, draw)).body.access_token;
    expect((await setLock(server, false, host)).status).toBe(204);
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(async () => {
    await server.stop();
    for (const text of [secret, draw, host, editor])
      expect(server.log().includes(text)).toBe(false);
    expect(server.log()).not.toContain(" error ");
  });

  test("HOST-1 the database has hashes of the secrets alone, and neither a log nor the output has them", async () => {
    expect([secret.length, draw.length]).toEqual([43, 43]);
    // Another program reads them: when this process closed a file of SQLite, it would lose its locks.
    const read = (name: string): string =>
      execFileSync("cat", [join(server.dataDir, name)], { encoding: "latin1", maxBuffer: 2 ** 26 });
    const files = readdirSync(server.dataDir).map(read);
    expect(files).not.toEqual([]);
    const { rows } = await server.running.database.query("select * from inkpool_keys");
    expect(rows).not.toEqual([]);
    for (const text of [...files, JSON.stringify(rows)])
      for (const one of [secret, draw]) expect(text).not.toContain(one);
    expect(server.log()).not.toContain(secret);
  });

  test("HOST-2 the command prints the same link each time, for the origin that it is given", async () => {
    const { stdout, code } = await runHostLink(server, ["--origin", "https://b.example/x/"], env);
    expect([code, stdout]).toEqual([0, `host link: https://b.example/x/#host=${secret}\n`]);
    expect(printed).toBe(`host link: http://localhost:${server.port}/#host=${secret}\n`);
  });

  test("HOST-3 renewed links: the old secrets, their tokens and their sockets are void, without a restart", async () => {
    const joined = await enter(editor);
    expect((await setLock(server, true, host)).status).toBe(204);
    const fresh = await hostSecret(server, env, ["--renew"]);
    expect(fresh).not.toBe(secret);
    for (const old of [secret, draw]) expect((await exchange(server, old)).status).toBe(401);
    await until(async () => (await save(server, DRAWING, editor)).status === 401);
    expect((await setLock(server, false, host)).status).toBe(401);
    const stopped = await joined.next(({ event }) => event === "phx_close");
    expect(stopped.topic).toBe(BOARD);
    const renewed = await exchange(server, fresh);
    expect((await setLock(server, false, renewed.body.access_token)).status).toBe(204);
    secret = fresh;
  });

  test("HOST-4 a secret is exchanged for a token of 15 minutes with the role in a claim", async () => {
    for (const [given, role] of [
      [secret, "host"],
      [draw, "editor"],
    ] as const) {
      const { status, body } = await exchange(server, given);
      expect([status, body.role, body.expires_in]).toEqual([200, role, 900]);
      const claims = JSON.parse(
        Buffer.from(body.access_token.split(".")[1] ?? "", "base64url").toString(),
      ) as Record<string, unknown>;
      expect(claims).toMatchObject({ role: "anon", inkpool_role: role });
      expect(Number(claims["exp"]) - Number(claims["iat"])).toBe(900);
      expect(JSON.stringify(claims)).not.toContain(given);
    }
    expect((await exchange(server, draw)).body).not.toHaveProperty("draw");
  });

  test("HOST-5 forged roles are worth nothing: another signature, no signature, another algorithm, no link", async () => {
    await setLock(server, true, host);
    const [head, body, signature] = host.split(".");
    const claims = JSON.parse(Buffer.from(body ?? "", "base64url").toString()) as object;
    const raised = base64({ ...claims, inkpool_role: "host", role: "service_role" });
    const signed = (header: object, text: string, key: string): string => {
      const input = `${base64(header)}.${text}`;
      return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
    };
    const forged = [
      `${head}.${raised}.${signature}`,
      `${base64({ alg: "none", typ: "JWT" })}.${body}.`,
      `${base64({ alg: "none", typ: "JWT" })}.${body}.${signature}`,
      signed({ alg: "HS256" }, raised, ""),
      signed({ alg: "HS256" }, raised, server.anonKey),
      signed({ alg: "HS256", kid: "../../dev/null" }, raised, ""),
      signed({ alg: "RS256" }, body ?? "", secret),
      `${head}.${body}`,
    ];
    for (const token of forged) {
      expect((await save(server, DRAWING, token)).status).toBe(401);
      expect((await setLock(server, false, token)).status).toBe(401);
      expect((await post(server, "links", { token })).status).toBe(401);
    }
    const { jwtSecret } = JSON.parse(readFileSync(join(server.dataDir, "keys.json"), "utf8")) as {
      jwtSecret?: string;
    };
    const exp = Math.floor(Date.now() / 1000);
    const own = (more: object): string =>
      signed({ alg: "HS256", typ: "JWT" }, base64({ ...claims, ...more }), jwtSecret ?? "");
    // On PostgreSQL the key is in the database, where these tokens are forged like the others.
    for (const more of [{ exp: exp - 1 }, { inkpool_link: "x" }, { inkpool_link: undefined }])
      expect((await save(server, DRAWING, own(more))).status).toBe(401);
  });

  test("HOST-6 a locked board refuses the writes of everybody without a link, and lets everybody read", async () => {
    expect((await save(server, DRAWING)).status).toBe(200);
    await setLock(server, true, host);
    const password = "a long passphrase 1";
    const signUp = await fetch(`${server.url}/auth/v1/signup`, {
      method: "POST",
      headers: { apikey: server.anonKey, "content-type": "application/json" },
      body: JSON.stringify({
        email: `p${Date.now()}@example.org`,
        password,
        data: { inkpool_role: "host" },
      }),
    });
    const user = (await signUp.json()) as { access_token: string };
    expect(user.access_token).toEqual(expect.any(String));
    for (const [token, status] of [
      [undefined, 401],
      [user.access_token, 403],
    ] as const) {
      const refused = await save(server, { objects: [1] }, token);
      expect([refused.status, refused.json]).toMatchObject([
        status,
        { code: "42501", message: SENTENCE },
      ]);
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const more = { headers, body: JSON.stringify({ canvas_json: { objects: [2] } }) };
      for (const prefer of ["", "resolution=merge-duplicates", "resolution=ignore-duplicates"]) {
        const inserted = await callTable(server, "canvas_state", {
          method: "POST",
          ...more,
          headers: { ...headers, prefer },
        });
        expect(inserted.status).toBeGreaterThanOrEqual(400);
      }
      const removed = await callTable(server, "canvas_state?version=gte.0", {
        method: "DELETE",
        headers: { ...headers, prefer: "return=representation" },
      });
      expect(removed.json).toEqual([]);
    }
    const { json } = await callTable(server, "canvas_state?select=canvas_json");
    expect(json).toEqual([{ canvas_json: DRAWING }]);
    expect((await callTable(server, "canvas_history?select=id")).status).toBe(200);
    for (const token of [editor, host, server.serviceKey])
      expect((await save(server, DRAWING, token)).status).toBe(200);
    await setLock(server, false, host);
    expect((await save(server, DRAWING)).status).toBe(200);
  });

  test("HOST-7 hosts alone change the settings, and everybody reads them", async () => {
    for (const token of [undefined, editor]) {
      const { status, json } = await setLock(server, true, token);
      expect([status, json]).toMatchObject([401, { code: "42501" }]);
    }
    const insert = await callTable(server, "canvas_settings", {
      method: "POST",
      headers: { authorization: `Bearer ${host}` },
      body: '{"id":2,"locked":true}',
    });
    expect(insert.status).toBe(401);
    await callTable(server, "canvas_settings?id=eq.1", {
      method: "DELETE",
      headers: { authorization: `Bearer ${host}` },
    });
    expect((await callTable(server, "canvas_settings")).json).toEqual([{ id: 1, locked: false }]);
    expect((await setLock(server, true, server.serviceKey)).status).toBe(204);
    expect((await callTable(server, "canvas_settings")).json).toEqual([{ id: 1, locked: true }]);
  });

  examineChannel(() => ({ server, host, editor, enter, opened: open }));

  test("HOST-11 a host makes new links in the panel: theirs work, all others end; an editor does not", async () => {
    expect((await post(server, "links", { token: editor })).status).toBe(403);
    expect((await post(server, "links", {})).status).toBe(401);
    const { status, body } = await post(server, "links", { token: host });
    expect([status, body.role]).toEqual([200, "host"]);
    expect((await exchange(server, draw)).status).toBe(401);
    expect((await setLock(server, true, host)).status).toBe(401);
    expect((await setLock(server, false, body.access_token)).status).toBe(204);
    expect((await exchange(server, body.draw)).body.role).toBe("editor");
    expect(await hostSecret(server, env)).toBe(body.host);
    secret = body.host ?? "";
  });

  test("HOST-12 guesses are limited for a client key; an invalid secret is refused", async () => {
    const statuses = new Set<number>();
    for (const wrong of ["", "x", null, 7, {}, `${secret}x`, "x".repeat(900)])
      statuses.add((await exchange(server, wrong)).status);
    expect([...statuses]).toEqual([401]);
    await until(async () => (await exchange(server, "wrong")).status === 429);
    expect((await post(server, "token", { body: "[" })).status).toBe(429);
  });
}

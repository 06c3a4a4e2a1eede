/** Tests the content of the metrics, their readers, and that the dashboard and the alert rules know their names. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Driver from "libsql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../scripts/free-port.ts";
import { openClient } from "../../testing/servers/realtime.ts";
import { startServer, type TestServer } from "../../testing/servers/server.ts";
import { callTable } from "../../testing/servers/table-client.ts";
import { parseSettings } from "../settings/settings.ts";
import { DATABASE_FILE, openDatabase } from "../storage/setup/open.ts";
import { createLogger } from "./log.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { LOG_FORMAT: "json", REALTIME_PRESENCE_BYTES: "16" } });
});
afterAll(() => server.stop());

const example = (name: string): string =>
  readFileSync(new URL(`../../docs/examples/${name}`, import.meta.url), "utf8");

async function metricsOf(url: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(url, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

const typesOf = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
  );

test("SRV-41 the dashboard and the alert rules name metrics that there are, and the dashboard all of ours", async () => {
  const types = typesOf(await metricsOf(`${server.url}/metrics`));
  const dashboard = JSON.parse(example("grafana-dashboard.json")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const rules = [...example("alerts.yml").matchAll(/^ +expr: (.+)$/gm)].map(
    ([, expr = ""]) => expr,
  );
  expect(rules.length).toBe([...example("alerts.yml").matchAll(/- alert: \w+$/gm)].length);
  const named = (expr: string): string[] =>
    [...expr.matchAll(/\b(?:inkpool|nodejs|process)_\w+/g)].map(([name]) => name);
  for (const name of [...expressions, ...rules].flatMap(named)) {
    const plain = name.replace(/_(?:bucket|sum|count)$/, "");
    expect([name, types.has(name) || types.get(plain) === "histogram"]).toEqual([name, true]);
  }
  // Prometheus compares series of the same labels alone: a sum over processes has none of those of one process.
  const sums = rules.filter((rule) => / [<>] .*\b(?:sum|count)\(/.test(rule));
  expect(sums.length).toBeGreaterThan(1);
  for (const rule of sums) expect(rule).toMatch(/^sum\(| [<>] scalar\(/);
  const shown = new Set(expressions.flatMap(named).map((name) => name.replace(/_bucket$/, "")));
  const ours = [...types.keys()].filter((name) => name.startsWith("inkpool_"));
  expect(ours.filter((name) => !shown.has(name))).toEqual([]);
});

test("SRV-41 the metrics count saves, conflicts, requests by route and refusals by reason", async () => {
  const post = (body: string) => callTable(server, "canvas_state", { method: "POST", body });
  expect((await post('{"canvas_json":{"objects":[]}}')).status).toBe(201);
  expect((await post('{"canvas_json":{"objects":[]}}')).status).toBe(409);
  const guarded = await callTable(server, "canvas_state?version=eq.7", {
    method: "PATCH",
    body: '{"canvas_json":{"objects":[1]}}',
  });
  expect(guarded.status).toBe(204);
  await fetch(`${server.url}/somebody/made/this/up`);
  const client = await openClient({ port: server.port, keys: server });
  const joinRef = await client.join("realtime:a");
  const track = { type: "presence", event: "track", payload: { text: "more than sixteen bytes" } };
  expect((await client.reply(client.push("realtime:a", "presence", track, joinRef))).status).toBe(
    "error",
  );
  const text = await metricsOf(`${server.url}/metrics`);
  for (const line of [
    'inkpool_saves_total{outcome="saved"} 1',
    'inkpool_saves_total{outcome="refused"} 1',
    'inkpool_saves_total{outcome="conflict"} 1',
    'inkpool_saves_total{outcome="failed"} 0',
    'inkpool_http_request_duration_seconds_count{route="/rest/v1/:table"} 3',
    'inkpool_http_request_duration_seconds_count{route="none"} 1',
    'inkpool_realtime_refusals_total{reason="presenceTooLarge"} 1',
    "inkpool_cluster_up 1",
    "inkpool_database_waiting 0",
  ])
    expect(text).toContain(`${line}\n`);
  expect(text).not.toContain("made/this");
  client.close();
  const lines = server
    .log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines[0]).toMatchObject({ level: "info", message: "database opened", kind: "sqlite" });
});

describe("a server that was started again, with a token and a port for the metrics", () => {
  const token = "a-token-of-16-or-more";
  const drawing = '{"objects":["é"]}';
  const dataDir = mkdtempSync(join(tmpdir(), "inkpool-metrics-"));
  let closed: TestServer;
  let url: string;
  beforeAll(async () => {
    const parsed = parseSettings({ DATA_DIR: dataDir }, "/");
    if (!parsed.ok) throw new Error(parsed.problems.join());
    const log = createLogger("error", () => {}, Date.now);
    const database = await openDatabase(parsed.settings, log);
    await database.query("insert into canvas_state (canvas_json) values ($1)", [drawing]);
    await database.close();
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}/metrics`;
    closed = await startServer({ dataDir, env: { METRICS_PORT: port, METRICS_TOKEN: token } });
  });
  afterAll(async () => {
    await closed.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("SRV-94 inkpool_drawing_bytes is the size of the saved drawing, after a restart and whoever saved it", async () => {
    const authorization = `Bearer ${token}`;
    const bytes = async (): Promise<string | undefined> =>
      /^inkpool_drawing_bytes (\d+)$/m.exec(await metricsOf(url, { authorization }))?.[1];
    const toBe = (expected: number): Promise<void> => expect.poll(bytes).toBe(String(expected));
    await toBe(Buffer.byteLength(drawing));
    const other = new Driver(join(dataDir, DATABASE_FILE));
    other.exec(`update canvas_state set canvas_json = '{"objects":[]}'`);
    await toBe(14);
    other.exec("delete from canvas_state");
    other.close();
    await toBe(0);
    const body = `{"canvas_json":${drawing}}`;
    expect((await callTable(closed, "canvas_state", { method: "POST", body })).status).toBe(201);
    await toBe(Buffer.byteLength(drawing));
  });

  test("SRV-41 with METRICS_TOKEN the metrics need it, and with METRICS_PORT they are there alone", async () => {
    expect((await fetch(`${closed.url}/metrics`)).status).toBe(404);
    for (const authorization of ["", "Bearer wrong", `Basic ${token}`])
      expect((await fetch(url, { headers: { authorization } })).status).toBe(401);
    expect(await metricsOf(url, { authorization: `Bearer ${token}` })).toContain(
      "inkpool_saves_total",
    );
    expect((await fetch(url.replace("/metrics", "/healthz"))).status).toBe(404);
  });
});

/**
 * Measures the cost of saving where many draw on a large board: 20 people who draw for a minute on a drawing of 5 MB,
 * with pauses of 1 to 8 s, each for themselves and in rotation (web/sync/saving/rota.ts), on both databases.
 *
 *   npx tsx bench/saves/run.ts [--only=embedded,PostgreSQL] [--rota]
 *
 * --rota: only those in rotation. The people are sync clients in one process of Node.js, over real sockets to the built product. Needs a built
 * product (npm run build) and, for the second database, PostgreSQL's programs.
 */

import { fork } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { openPostgres } from "../../lab/installation/postgres.ts";
import { buildForNode } from "../bundle.ts";
import { table } from "../../lab/measuring/figures.ts";
import { startProduct } from "../../lab/measuring/product.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "embedded,PostgreSQL" },
    rota: { type: "boolean", default: false },
  },
});
const PEOPLE = fileURLToPath(new URL("people.ts", import.meta.url));
const BYTES = 5 * 1024 * 1024;
const STROKE_BYTES = 520;
const ENV = { TABLE_RATE_LIMIT: "0", AUTH: "off" };

/** The source of a rota that never postpones, so that each page saves for itself. */
const NO_ROTA = `{
  edited() {},
  dueOf: ({ due }) => due,
  mayWrite: () => true,
  sinceOf: ({ since }) => since,
  saved() {},
}`;
const withoutRota = {
  name: "without-rota",
  load: (id: string) =>
    id.endsWith("/saving/rota.ts") ? `export const createSaveRota = () => (${NO_ROTA});` : null,
};

/** Makes a drawing of 5 MB, of strokes of 40 points. */
function makeDrawing() {
  let seed = 7;
  const step = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return Math.round((seed % 800) - 400) / 100;
  };
  const objects = Array.from({ length: Math.round(BYTES / STROKE_BYTES) }, (_, index) => ({
    ...{ type: "Path", version: "7.4.0", left: index % 900, top: index % 700 },
    ...{ stroke: "#000000", strokeWidth: 3, fill: null, id: `0filler-${index}`, z: index },
    path: `M0 0${Array.from({ length: 20 }, () => `q${step()} ${step()} ${step()} ${step()}`).join("")}`,
  }));
  const inkpool = { format: 1, seen: { "0filler": objects.length - 1 } };
  return JSON.stringify({
    canvas_json: { version: "7.4.0", objects, background: "white", inkpool },
  });
}

async function walSince(databaseUrl: string, lsn: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    "select pg_current_wal_lsn() as lsn, pg_wal_lsn_diff(pg_current_wal_lsn(), $1) as bytes",
    [lsn],
  );
  await client.end();
  return { lsn: String(rows[0].lsn), bytes: Number(rows[0].bytes) };
}

type Counts = Record<"saves" | "lost" | "reads" | "sent" | "received", number>;

/** The report of the people at their end; see people.ts. */
interface Result {
  drawn: number;
  ids: readonly string[];
  minute: Counts;
  all: Counts;
  settled: number | null;
  cpu: number;
}

async function run(folder: string, people: string, databaseUrl: string | null) {
  const env = databaseUrl === null ? ENV : { ...ENV, DATABASE_URL: databaseUrl };
  const product = await startProduct(mkdtempSync(join(folder, "data-")), env);
  try {
    const { supabaseAnonKey: key } = await (await fetch(`${product.url}/config.json`)).json();
    const headers = { apikey: key, "content-type": "application/json" };
    const row = `${product.url}/rest/v1/canvas_state`;
    const made = await fetch(row, { method: "POST", headers, body: makeDrawing() });
    if (!made.ok) throw new Error(`the drawing was answered with ${made.status}`);
    const child = fork(PEOPLE, [people, product.url, key]);
    let lsn = "0/0";
    let wal = { minute: 0, all: 0 };
    const result = await new Promise<Result>((resolve, reject) => {
      child.once("exit", () => reject(new Error("the people ended early")));
      child.on("message", async (message: "begin" | "minute" | Result) => {
        if (message === "begin" && databaseUrl) ({ lsn } = await walSince(databaseUrl, lsn));
        if (message === "minute" && databaseUrl)
          wal = { ...wal, minute: (await walSince(databaseUrl, lsn)).bytes };
        if (typeof message !== "object") return;
        if (databaseUrl) wal = { ...wal, all: (await walSince(databaseUrl, lsn)).bytes };
        resolve(message);
      });
    });
    const [saved] = await (await fetch(`${row}?select=canvas_json`, { headers })).json();
    const ids = new Set(saved.canvas_json.objects.map(({ id }: { id: string }) => id));
    const missing = result.ids.filter((id: string) => !ids.has(id)).length;
    return { ...result, wal, missing };
  } finally {
    await product.stop();
  }
}

const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
const folder = mkdtempSync(join(tmpdir(), "inkpool-saves-"));
chmodSync(folder, 0o755);
const rows = [];
try {
  const variants: [name: string, people: string][] = [
    ["each for themselves", await buildForNode("bench/saves/client.ts", [withoutRota])],
    ["in rotation", await buildForNode("bench/saves/client.ts")],
  ];
  for (const database of options.only.split(","))
    for (const [name, people] of options.rota ? variants.slice(1) : variants) {
      const postgres =
        database === "PostgreSQL"
          ? await openPostgres(mkdtempSync(join(folder, "database-")))
          : null;
      const url = postgres && `postgres://postgres@127.0.0.1:${postgres.port}/postgres`;
      const { minute, all, wal, drawn, missing, settled, cpu } = await run(folder, people, url);
      await postgres?.kill();
      console.error(
        database,
        name,
        JSON.stringify({ minute, all, wal, drawn, missing, settled, cpu }),
      );
      const both = (pick: (of: Counts) => string | number) => `${pick(minute)} (${pick(all)})`;
      rows.push([
        ...[database, name, String(drawn), both(({ saves }) => saves), both(({ lost }) => lost)],
        ...[both(({ reads }) => reads), both(({ sent }) => mb(sent))],
        both(({ received }) => mb(received)),
        postgres ? `${mb(wal.minute)} (${mb(wal.all)})` : "-",
        settled === null ? "never" : (settled / 1000).toFixed(0),
        ...[cpu.toFixed(0), String(missing)],
      ]);
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const columns = ["database", "saving", "strokes", "saves", "lost races", "reads of the row"];
const more = ["MB sent", "MB read", "MB of WAL", "s until all is saved", "s of the people's CPU"];
console.log(table([...columns, ...more, "strokes that the row lacks"], rows));

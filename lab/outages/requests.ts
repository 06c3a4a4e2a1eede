/** Requests without a pause: pages, reads, guarded saves and sign-ins; what was said to be saved has to be there. */

import { integer, sleep, until } from "../installation/tools.ts";
import type { AnswerCounts } from "../installation/answers.ts";

/** Milliseconds. */
const GAP = 50;
/** Milliseconds after which a client that has just come gives a request up. */
const IMPATIENT = 2_000;
const HEADERS = { "content-type": "application/json", prefer: "return=representation" };

interface Row {
  version: number;
  canvas_json: { saved: number[] };
}

/**
 * Puts a first row there, which contains a list of numbers.
 *
 * @param table The row's address.
 */
async function openRow(table: string, headers: Readonly<Record<string, string>>) {
  const drawing = { objects: [], saved: [], padding: "x".repeat(50_000) };
  const body = JSON.stringify({ canvas_json: drawing });
  const first = await fetch(table, { method: "POST", headers, body });
  if (!first.ok) throw new Error(`no first row: ${first.status}`);
  const read = async (call: typeof fetch) => {
    const answer = await call(`${table}?select=version,canvas_json`, { headers });
    const [row] = (await answer.json()) as Row[];
    if (!answer.ok || row === undefined) throw new Error(String(answer.status));
    return row;
  };
  return {
    read,
    /** One number more in the row, if nobody saved meanwhile. */
    save: async (number: number, call: typeof fetch) => {
      const { version, canvas_json } = await read(call);
      if (canvas_json.saved.includes(number)) return true;
      canvas_json.saved.push(number);
      const answer = await call(`${table}?version=eq.${version}&select=version`, {
        method: "PATCH",
        headers,
        body: JSON.stringify({ canvas_json }),
      });
      return answer.ok && ((await answer.json()) as Row[]).length === 1;
    },
  };
}

/** Begins. */
export async function openRequests({
  origin,
  key,
  answers,
}: {
  origin: string;
  key: string;
  answers: AnswerCounts;
}) {
  const table = `${origin}/rest/v1/canvas_state`;
  const headers = { ...HEADERS, apikey: key };
  const row = await openRow(table, headers);
  let [isOver, lastSave, fresh] = [false, 0, 0];
  const saved: number[] = [];
  const saves = async () => {
    for (let n = 0; !isOver; await sleep(GAP))
      if (await row.save(n, answers.fetch).catch(() => false)) {
        saved.push(n++);
        lastSave = Date.now();
      }
  };
  const repeat = async (call: () => Promise<Response>) => {
    while (!isOver) {
      await call()
        .then((answer) => answer.arrayBuffer())
        .catch(() => {});
      await sleep(GAP + integer(Math.random, 0, GAP));
    }
  };
  const body = JSON.stringify({ refresh_token: "none" });
  const refresh = `${origin}/auth/v1/token?grant_type=refresh_token`;
  const load = [
    saves(),
    repeat(() => answers.fetch(`${origin}/`)),
    repeat(() => answers.fetch(`${table}?select=id,updated_at`, { headers })),
    repeat(async () => {
      // Asks the database for a token that is not there, less often than the limit of tokens.
      await sleep(2_500);
      return answers.fetch(refresh, { method: "POST", headers, body });
    }),
  ];
  const saveFresh = () => {
    const signal = AbortSignal.timeout(IMPATIENT);
    return row.save(--fresh, (input, init) => fetch(input, { ...init, signal })).catch(() => false);
  };
  return {
    /** When a save of the client that saves all the time succeeded last; milliseconds since 1970. */
    lastSave: () => lastSave,
    /** Reads and saves as a client that has just come, again and again until that succeeds; milliseconds. */
    freshSave: () => until(saveFresh, "a save of a new client succeeds", 120_000),
    /** Ends, and returns what is wrong. */
    async end(): Promise<string[]> {
      isOver = true;
      await Promise.all(load);
      const there = new Set((await row.read(answers.fetch)).canvas_json.saved);
      const lost = saved.filter((number) => !there.has(number));
      console.log(`${saved.length} saves were acknowledged, ${lost.length} of them are lost`);
      return lost.length === 0 ? [] : [`lost saves: ${lost.slice(0, 10).join(", ")}`];
    },
  };
}

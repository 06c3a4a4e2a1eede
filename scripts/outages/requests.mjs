/** Requests without a pause: pages, reads, guarded saves and sign-ins; what was said to be saved has to be there. */

import { integer, sleep } from "../installation/tools.mjs";

const GAP = 50;
const HEADERS = { "content-type": "application/json", prefer: "return=representation" };

/** @typedef {{ version: number, canvas_json: { saved: number[] } }} Row */

/**
 * Puts a first row there and begins.
 *
 * @param {{ origin: string, key: string, answers: import("../installation/answers.mjs").AnswerCounts }} options
 */
export async function openRequests({ origin, key, answers }) {
  const table = `${origin}/rest/v1/canvas_state`;
  const headers = { ...HEADERS, apikey: key };
  const first = await answers.fetch(`${table}?select=id,version,canvas_json`, {
    method: "POST",
    headers,
    body: JSON.stringify({ canvas_json: { objects: [], saved: [], padding: "x".repeat(50_000) } }),
  });
  if (!first.ok) throw new Error(`no first row: ${first.status}`);
  let [isOver, lastSave] = [false, 0];
  /** @type {number[]} */
  const saved = [];
  const read = async () => {
    const answer = await answers.fetch(`${table}?select=version,canvas_json`, { headers });
    const rows = /** @type {Row[]} */ (await answer.json());
    const [row] = rows;
    if (!answer.ok || row === undefined) throw new Error(String(answer.status));
    return row;
  };
  /** One number more in the row, if nobody saved meanwhile. @param {number} number */
  const save = async (number) => {
    const { version, canvas_json } = await read();
    if (canvas_json.saved.includes(number)) return true;
    canvas_json.saved.push(number);
    const answer = await answers.fetch(`${table}?version=eq.${version}&select=version`, {
      method: "PATCH",
      headers,
      body: JSON.stringify({ canvas_json }),
    });
    return answer.ok && /** @type {Row[]} */ (await answer.json()).length === 1;
  };
  const saves = async () => {
    for (let n = 0; !isOver; await sleep(GAP))
      if (await save(n).catch(() => false)) {
        saved.push(n++);
        lastSave = Date.now();
      }
  };
  /** @param {() => Promise<Response>} call */
  const repeat = async (call) => {
    while (!isOver) {
      await call().then(
        (answer) => answer.arrayBuffer(),
        () => {},
      );
      await sleep(GAP + integer(Math.random, 0, GAP));
    }
  };
  const nobody = JSON.stringify({ email: "nobody@example.com", refresh_token: "none" });
  const load = [
    saves(),
    repeat(() => answers.fetch(`${origin}/`)),
    repeat(() => answers.fetch(`${table}?select=id,updated_at`, { headers })),
    repeat(async () => {
      // A refresh that finds nothing asks the database, and no limit of sign-ins counts it in this time.
      await sleep(2_500);
      return answers.fetch(`${origin}/auth/v1/token?grant_type=refresh_token`, {
        method: "POST",
        headers,
        body: nobody,
      });
    }),
  ];
  return {
    /** When a save succeeded last; milliseconds since 1970. */
    lastSave: () => lastSave,
    /** Ends, and returns what is wrong. @returns {Promise<string[]>} */
    async end() {
      isOver = true;
      await Promise.all(load);
      const there = new Set((await read()).canvas_json.saved);
      const lost = saved.filter((number) => !there.has(number));
      console.log(`${saved.length} saves were acknowledged, ${lost.length} of them are lost`);
      return lost.length === 0 ? [] : [`lost saves: ${lost.slice(0, 10).join(", ")}`];
    },
  };
}

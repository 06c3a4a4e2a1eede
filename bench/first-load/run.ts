/**
 * Measures the first load of the production build by Lighthouse in the machine's Chromium, desktop and phone, with
 * Lighthouse's own throttling; and on a telephone whose network and processor are really slowed down. Prints the
 * medians of five runs each.
 *
 *   npx tsx bench/first-load/run.ts [--runs=5] [--slow]
 *
 * With --slow only the latter. Needs `npm ci` in bench/peers (npm run bench does it) and a built product (npm run build).
 */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BROWSER_ARGS, findBrowser } from "../../scripts/browser.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { startProduct } from "../../lab/measuring/product.ts";
import { visitSlowly } from "./slow-connection.ts";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const FLAGS = ["--headless=new", ...BROWSER_ARGS];
const RUNS = Number(/--runs=(\d+)/.exec(process.argv.join(" "))?.[1] ?? 5);

/** The times that are printed, by the names of Lighthouse. */
const TIMES = [
  ["first paint", "first-contentful-paint"],
  ["largest paint", "largest-contentful-paint"],
  ["blocking", "total-blocking-time"],
  ["speed index", "speed-index"],
] as const;

/** The part of a Lighthouse report that is read. */
interface Report {
  categories: Readonly<
    Record<string, { score: number | null; auditRefs: readonly { id: string; weight: number }[] }>
  >;
  audits: Readonly<
    Record<
      string,
      {
        score: number | null;
        title: string;
        displayValue?: string;
        numericValue?: number;
        details?: { items?: readonly { url?: string; transferSize?: number }[] };
      }
    >
  >;
}

async function judge(url: string, form: "desktop" | "phone", folder: string): Promise<Report> {
  const report = join(folder, `${form}.json`);
  const args = [
    `${ROOT}bench/peers/node_modules/lighthouse/cli/index.js`,
    url,
    "--quiet",
    "--output=json",
    `--output-path=${report}`,
    `--only-categories=${CATEGORIES.join(",")}`,
    `--chrome-flags=${FLAGS.join(" ")}`,
    ...(form === "desktop" ? ["--preset=desktop"] : []),
  ];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, CHROME_PATH: (await findBrowser()) ?? "" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await new Promise((done) => child.once("exit", done));
  return JSON.parse(readFileSync(report, "utf8"));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function print(form: string, reports: readonly Report[]): void {
  const scores = CATEGORIES.map((name) => {
    const all = reports.map(({ categories }) => 100 * (categories[name]?.score ?? 0));
    return `${name} ${Math.round(median(all))}`;
  });
  const times = TIMES.map(([name, id]) => {
    const all = reports.map(({ audits }) => audits[id]?.numericValue ?? 0);
    return `${name} ${Math.round(median(all))} ms`;
  });
  process.stdout.write(`${form}: ${[...scores, ...times].join(", ")}\n`);
  const [report] = reports;
  const requests = report?.audits["network-requests"]?.details?.items ?? [];
  const code = requests.filter(({ url = "" }) => /\/(?:$|assets\/)/.test(url));
  const bytes = code.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
  process.stdout.write(
    `  before the first gesture: ${requests.length} requests, ${Math.round(bytes / 1000)} kB of code\n`,
  );
  for (const name of CATEGORIES)
    for (const { id, weight } of report?.categories[name]?.auditRefs ?? []) {
      const audit = report?.audits[id];
      if (audit !== undefined && weight > 0 && audit.score !== null && audit.score < 0.9)
        process.stdout.write(`  ${name}: ${audit.title} (${audit.displayValue ?? audit.score})\n`);
    }
}

const folder = mkdtempSync(join(tmpdir(), "inkpool-first-load-"));
const product = await startProduct(join(folder, "data"));
try {
  const visits = await visitSlowly(product.url, RUNS);
  const figures = (["painted", "drawable", "ready"] as const).map(
    (name) => `${name} ${Math.round(median(visits.map((visit) => visit[name])))} ms`,
  );
  const shift = Math.max(...visits.map((visit) => visit.shift));
  process.stdout.write(`slow phone: ${figures.join(", ")}, layout shift ${shift} at most\n`);
  const forms = process.argv.includes("--slow") ? [] : (["desktop", "phone"] as const);
  for (const form of forms) {
    const reports: Report[] = [];
    for (let run = 0; run < RUNS; run += 1) reports.push(await judge(product.url, form, folder));
    print(form, reports);
  }
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * The first load of the production build, judged by Lighthouse in the machine's Chromium, desktop and phone.
 *
 *   npx tsx bench/first-load/run.ts
 *
 * Needs `npm ci` in bench/peers (npm run bench does it) and a built product (npm run build).
 */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BROWSER_ARGS, findBrowser } from "../../scripts/browser.mjs";
import { ROOT } from "../../scripts/root.mjs";
import { startProduct } from "../../lab/server.ts";

const CATEGORIES = ["performance", "accessibility", "best-practices"];
const FLAGS = ["--headless=new", ...BROWSER_ARGS];

/** What is read of a report of Lighthouse. */
interface Report {
  categories: Readonly<
    Record<string, { score: number | null; auditRefs: readonly { id: string; weight: number }[] }>
  >;
  audits: Readonly<Record<string, { score: number | null; title: string; displayValue?: string }>>;
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

const folder = mkdtempSync(join(tmpdir(), "inkpool-first-load-"));
const product = await startProduct(join(folder, "data"));
try {
  for (const form of ["desktop", "phone"] as const) {
    const report = await judge(product.url, form, folder);
    const scores = CATEGORIES.map(
      (name) => `${name} ${Math.round((report.categories[name]?.score ?? 0) * 100)}`,
    );
    process.stdout.write(`${form}: ${scores.join(", ")}\n`);
    for (const name of CATEGORIES) {
      for (const { id, weight } of report.categories[name]?.auditRefs ?? []) {
        const audit = report.audits[id];
        if (audit !== undefined && weight > 0 && audit.score !== null && audit.score < 0.9) {
          process.stdout.write(
            `  ${name}: ${audit.title} (${audit.displayValue ?? audit.score})\n`,
          );
        }
      }
    }
  }
} finally {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}

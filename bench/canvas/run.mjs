/**
 * Compares the canvas with a bare canvas (floor) and with a quick Fabric page (naive), side by side in one
 * run. Main-thread times are CPU time (Performance.getMetrics, threadTicks); read the ratios.
 *
 * node bench/canvas/run.mjs [--rounds 3] [--sizes 1000,10000] [--naive] [--skip-build]
 */

import { chromium } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BROWSER_ARGS, findBrowser } from "../../scripts/browser.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const built = join(root, "dist/bench/canvas");
const TYPES = { ".html": "text/html", ".js": "text/javascript" };
const MOVES = 300;
const STROKES = 12;

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    sizes: { type: "string", default: "1000,10000" },
    naive: { type: "boolean", default: false },
    "skip-build": { type: "boolean", default: false },
  },
});

/** Boards by size, as JSON text. */
const boards = new Map();

function serve() {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/board.json") {
      response.setHeader("content-type", "application/json");
      response.end(boards.get(searchParams.get("n")) ?? '{"objects":[]}');
      return;
    }
    readFile(join(built, pathname)).then(
      (body) => {
        response.setHeader("content-type", TYPES[extname(pathname)] ?? "application/octet-stream");
        response.end(body);
      },
      () => {
        response.statusCode = 404;
        response.end();
      },
    );
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function launch() {
  const executablePath = await findBrowser();
  return chromium.launch({
    args: BROWSER_ARGS,
    ...(executablePath !== null && { executablePath }),
  });
}

async function makeBoards(origin, sizes) {
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(`${origin}/make.html`);
  for (const size of sizes)
    boards.set(String(size), await page.evaluate((count) => window.makeBoard(count), size));
  await browser.close();
}

/** CPU milliseconds of the page's main thread while `work` runs. */
async function cpu(session, work) {
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find((metric) => metric.name === "TaskDuration").value * 1000;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

const settle = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)));
      }),
  );

/** The mouse by the browser's own protocol: Playwright's adds work of its own to the page for each move. */
function mouseOf(session) {
  let buttons = 0;
  const send = (type, x, y) =>
    session.send("Input.dispatchMouseEvent", {
      ...{ type, x, y, buttons },
      button: type === "mouseMoved" && buttons === 0 ? "none" : "left",
      clickCount: type === "mouseMoved" ? 0 : 1,
    });
  return {
    move: (x, y) => send("mouseMoved", x, y),
    down(x, y) {
      buttons = 1;
      return send("mousePressed", x, y);
    },
    up(x, y) {
      buttons = 0;
      return send("mouseReleased", x, y);
    },
  };
}

/** Private memory of the page's renderer process, in MB. */
async function memory(browser, page, session) {
  for (let i = 0; i < 2; i++) await session.send("HeapProfiler.collectGarbage");
  await page.waitForTimeout(500);
  const system = await browser.newBrowserCDPSession();
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  let most = 0;
  for (const { type, id } of processInfo) {
    if (type !== "renderer") continue;
    const text = await readFile(`/proc/${id}/smaps_rollup`, "utf8");
    const kilobytes = [...text.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].reduce(
      (sum, match) => sum + Number(match[1]),
      0,
    );
    most = Math.max(most, kilobytes / 1024);
  }
  return most;
}

async function measure(origin, subject, size) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const mouse = mouseOf(session);
    const heavy = subject === "naive" && size > 2000;
    await page.goto(`${origin}/${subject}.html?n=${size}`);
    await page.waitForFunction(() => window.results?.readyAt > 0, undefined, { timeout: 120_000 });
    const row = { ready: await page.evaluate(() => window.results.readyAt) };
    row.memory = await memory(browser, page, session);

    const strokes = heavy ? 2 : STROKES;
    const draw = async (i) => {
      const x = 200 + 30 * i;
      await mouse.move(x, 200);
      await mouse.down(x, 200);
      const spent = await cpu(session, async () => {
        for (let k = 1; k <= 40; k++) await mouse.move(x + 8 * k, 200 + 60 * Math.sin(k / 3 + i));
      });
      const up = await cpu(session, async () => {
        await mouse.up(x + 320, 200);
        await settle(page);
      });
      return { spent: spent / 40, up };
    };
    const drawn = [];
    for (let i = 0; i < strokes; i++) drawn.push(await draw(i));
    row.move = median(drawn.map((one) => one.spent));
    row.up = median(drawn.map((one) => one.up));
    row.commit = median(await page.evaluate(() => window.results.commits));

    const remotes = heavy ? 1 : 30;
    const object = JSON.parse(boards.get(String(size))).objects[3];
    await page.evaluate((one) => {
      window.sample = one;
    }, object);
    const remote = [];
    for (let i = 0; i < remotes; i++)
      remote.push(
        await cpu(session, async () => {
          await page.evaluate(() => window.subject.remote(window.sample));
          await settle(page);
        }),
      );
    row.remote = median(remote);

    await page.evaluate(() => window.subject.choose("select"));
    await settle(page);
    row.hover =
      (await cpu(session, async () => {
        for (let i = 0; i < MOVES; i++) await mouse.move(100 + 3 * i, 360 + 200 * Math.sin(i / 9));
      })) / MOVES;

    const top = JSON.parse(boards.get(String(size))).objects.at(-1);
    const [x, y] = top.path.match(/-?[\d.]+/g).map(Number);
    await mouse.move(x, y);
    await mouse.down(x, y);
    await mouse.move(x + 4, y + 4);
    await settle(page);
    const drags = heavy ? 5 : MOVES;
    row.drag =
      (await cpu(session, async () => {
        for (let i = 0; i < drags; i++)
          await mouse.move(x + 4 * Math.sin(i) + i / 4, y + 4 * Math.cos(i));
      })) / drags;
    await mouse.up(x, y);
    await settle(page);
    return row;
  } finally {
    await browser.close();
  }
}

/** The longest gap between frames while drawing, with a remote stroke every 500 ms. */
async function worstFrame(origin, subject, size) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`${origin}/${subject}.html?n=${size}&frames`);
    await page.waitForFunction(() => window.results?.readyAt > 0, undefined, { timeout: 120_000 });
    await page.waitForTimeout(300);
    const object = JSON.parse(boards.get(String(size))).objects[3];
    await page.evaluate((one) => {
      window.results.worstFrame = 0;
      setInterval(() => window.subject.remote(one), 500);
    }, object);
    const mouse = mouseOf(await page.context().newCDPSession(page));
    for (let i = 0; i < 8; i++) {
      await mouse.move(200, 200);
      await mouse.down(200, 200);
      for (let k = 0; k < 30; k++) await mouse.move(200 + 12 * k, 300 + 80 * Math.sin(k / 4));
      await mouse.up(560, 300);
    }
    return await page.evaluate(() => window.results.worstFrame);
  } finally {
    await browser.close();
  }
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const LABELS = {
  ready: "page ready with the board painted, ms",
  move: "drawing, main-thread ms per pointer move",
  up: "pointer up, main-thread ms",
  commit: "pointer up until painted, ms",
  remote: "a remote stroke, main-thread ms",
  drag: "dragging one object, main-thread ms per move",
  hover: "hovering, main-thread ms per move",
  frame: "worst frame while drawing under remote strokes, ms",
  memory: "renderer's private memory, MB",
};

if (!options["skip-build"])
  execFileSync("npx", ["vite", "build", "--config", "bench/canvas/vite.config.ts"], {
    cwd: root,
    stdio: "ignore",
  });
const sizes = options.sizes.split(",").map(Number);
const subjects = options.naive ? ["floor", "ours", "naive"] : ["floor", "ours"];
const server = await serve();
const origin = `http://127.0.0.1:${server.address().port}`;
await makeBoards(origin, sizes);
const results = {};
for (const size of sizes) {
  const rows = Object.fromEntries(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const subject of subjects) {
      if (subject === "naive" && round > 0) continue;
      const row = await measure(origin, subject, size);
      if (subject !== "naive" || size <= 2000) row.frame = await worstFrame(origin, subject, size);
      rows[subject].push(row);
    }
  results[size] = {};
  console.log(`\n${size} strokes of 40 points, medians of ${options.rounds}`);
  for (const [key, label] of Object.entries(LABELS)) {
    const values = {};
    for (const subject of subjects) values[subject] = median(rows[subject].map((row) => row[key]));
    results[size][key] = values;
    const text = subjects.map((subject) => `${subject} ${values[subject]?.toFixed(2)}`).join("  ");
    console.log(`${label}: ${text}  ours/floor ${(values.ours / values.floor).toFixed(2)}`);
  }
}
console.log(`\n${JSON.stringify(results)}`);
server.close();

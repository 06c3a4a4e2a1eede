/**
 * `npm run bench`: measures everything that takes time. Prints medians and ratios and writes bench/RESULTS.md.
 *
 *   npm run bench -- [--quick] [--only=canvas,latency,page,weak,view,large,files,pictures,fanout,cluster,busy,messages,crowd,saves,first-load,crdt,parts] [--sizes=1000,10000] [--rounds=3]
 *
 * --quick: boards of 1,000 strokes, topics with 10 and 50 clients, shorter rounds. A full run takes about
 * an hour. --sizes and --rounds override what the canvas would get; fewer than three rounds are refused.
 */

import "../scripts/node-version.mjs";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fingerprint } from "../scripts/build/fingerprint.mjs";
import { ROOT } from "../scripts/root.mjs";
import { setUp, setUpPackages } from "../scripts/build/setup.mjs";
import { describeMachine } from "./machine.ts";
import { canvasSections, writeResults } from "./results.ts";

const PEERS = `${ROOT}bench/peers`;
const PEERS_LOCK = "bench/peers/package-lock.json";
const INSTALLED = `${PEERS}/node_modules/.inkpool-installed`;

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: {
      type: "string",
      default:
        "canvas,latency,page,weak,view,large,files,pictures,fanout,cluster,busy,messages,crowd,saves,first-load,crdt,parts",
    },
    sizes: { type: "string" },
    rounds: { type: "string", default: "3" },
  },
});

interface Bench {
  /** Whether it needs the packages in bench/peers. */
  peers: boolean;
  /** Whether it needs the product built. */
  built?: boolean;
  args: readonly string[];
  /** The note in RESULTS.md about how it was run. */
  note: string;
  sections: (output: string) => Map<string, string>;
}

const sizes = options.sizes ?? (options.quick ? "1000" : "1000,10000");

/** Returns a section with the output of a part. */
function section(
  title: string,
  introduction: string,
  layOut: (output: string) => string = (output) => output.trim(),
) {
  return (output: string) => new Map([[title, `${introduction}\n\n${layOut(output)}`]]);
}

const rounds = `${options.rounds} rounds`;

const BENCHES: Readonly<Record<string, Bench>> = {
  canvas: {
    peers: true,
    args: ["--sizes", sizes, "--rounds", options.rounds, "--naive", "--peers"],
    note: rounds,
    sections: (output) => canvasSections(JSON.parse(output.trim().split("\n").at(-1) ?? "")),
  },
  latency: {
    peers: true,
    args: [],
    note: "3 lines of each kind",
    sections: section(
      "From pointer to pixel",
      'A mouse that draws at 1,000 px/s, 110 events in a second, filmed: the median and the 95th percentile of the time from a move to the first frame whose ink comes to within 2 px of it, and of the pixels between the newest move and the end of the ink in each frame. What is ahead of the pointer, where the browser predicts it, counts as 0 ms and as less than 0 px. "floor" is a bare canvas; "4x" is a CPU 4 times as slow.',
    ),
  },
  page: {
    peers: false,
    built: true,
    args: ["--sizes", sizes, `--rounds=${options.rounds}`],
    note: rounds,
    sections: section(
      "The whole page beside a bare canvas",
      "The product with its board, its channel and its server, and one peer online, beside a bare canvas (\"floor\"; for a pan one prepared picture) that gets a peer's stroke by a socket. CPU time; a peer's stroke and a stroke of one's own with all that follows within 1.2 and 0.6 s, without the save.",
    ),
  },
  weak: {
    peers: true,
    built: true,
    args: [`--rounds=${options.rounds}`, "--peers"],
    note: rounds,
    sections: section(
      "A weak device",
      'A window of 390 x 800 with two device pixels in one and a CPU 6 times as slow, wall times. A stroke of 60 moves in 1 s begins when the header says "Saved"; "floor" is a bare canvas that shows the same board.',
    ),
  },
  view: {
    peers: true,
    args: ["--sizes", sizes, "--rounds", options.rounds, "--peers"],
    note: rounds,
    sections: section(
      "Pan and zoom",
      'A wheel of 60 steps in 1 s over a board that is all in view. "floor" is a page that draws one prepared picture under the new transform, and never makes it sharp. The main thread is CPU time until everything is quiet again.',
    ),
  },
  large: {
    peers: false,
    built: true,
    args: [`--rounds=${options.rounds}`],
    note: rounds,
    sections: section(
      "A drawing of nearly 10 MB",
      "What holds the page's main thread, as the browser reports it (wall time), of all rounds together.",
    ),
  },
  pictures: {
    peers: false,
    built: true,
    args: [`--rounds=${options.rounds}`],
    note: rounds,
    sections: section(
      "A board with pictures",
      '40 pictures of 150,000 bytes in the drawing (1,200 x 900 pixels, shown at a tenth) over 1,000 strokes, beside the strokes alone; CPU time of the page\'s main thread, but for "ready" (wall time). The goal: 1.5 times.',
    ),
  },
  files: {
    peers: false,
    built: true,
    args: [],
    note: "One run",
    sections: section(
      "Files that take long",
      "Opening files in a real browser: the longest task of the page while a file is read and added, and the time from the press of Cancel, at once and after a half and nine tenths of the time that reading takes, until the page is at work no more. The goal: 100 ms.",
    ),
  },
  fanout: {
    peers: false,
    args: options.quick ? ["--seconds=1"] : ["--heavy", "--memory"],
    note: options.quick
      ? "3 pairs of processes, each measured 3 times for 1 s in turns, topics with 10 and 50 clients and small messages only"
      : "3 pairs of processes, each measured 3 times for 2 s in turns",
    sections: section(
      "Server fan-out",
      'CPU time of the server\'s process for each delivered message, beside a bare `ws` relay that copies frames; "vsn" is the version of the protocol.',
      (output) => output.trim().replace(/\n(?!\|)/, "\n\n"),
    ),
  },
  cluster: {
    peers: false,
    args: [`--rounds=${options.rounds}`],
    note: `${rounds}, each of 3 turns of 3 s`,
    sections: section(
      "One process beside three, with Redis",
      "CPU time of all server processes together for each delivered message, vsn 2.0.0; that of Redis is a column of its own. 60 messages a second, in the small topics 400, each sent when everybody has the one before, so that no two share a write; after a warm-up in which each process has passed on some ten thousand messages.",
    ),
  },
  busy: {
    peers: false,
    built: true,
    args: [`--rounds=${options.rounds}`],
    note: rounds,
    sections: section(
      "Saves and sockets in one process",
      "Wall times over loopback: alone, while a second server of the same kind bears the load (which takes the same two cores), and while this one does. The last column of each half is what sharing a process costs.",
    ),
  },
  messages: {
    peers: false,
    built: true,
    args: [`--rounds=${options.rounds}`],
    note: rounds,
    sections: section(
      "One message and everybody else",
      "How long `/healthz`, asked one time after the other, waits while the server receives one message, wall times over loopback: of nine contents (many empty objects, lists, numbers or names, deep ones, escapes, one text, one without an end) the one that keeps it waiting longest, and the memory that any of them took at most. The goal: 100 ms, and 4 times the message.",
    ),
  },
  crowd: {
    peers: false,
    built: true,
    args: [],
    note: "One run; HAProxy, PostgreSQL and Redis ran on the same cores",
    sections: section(
      "A crowd arrives",
      "1,000 sockets that join and track as the page does, each after reading /config.json, evenly over 10 s, and five clients of the real library that must have every presence key at the end; on one process, and on three over PostgreSQL and Redis. All bytes of the sockets in both directions, handshakes included; CPU time of each process from the first arrival until every count is right. The goal: under 20 MB, and at most 1 s of CPU for each process.",
    ),
  },
  saves: {
    peers: false,
    built: true,
    args: [],
    note: "One run of each kind",
    sections: section(
      "Saves where many draw",
      "20 people who draw strokes of 40 points for a minute on a drawing of 5 MB, with pauses of 1 to 8 s: the product's sync clients in one process of Node.js, over real sockets to the built server. In brackets: until everything is saved. A lost race is a drawing that was sent and refused, since another page had saved meanwhile.",
    ),
  },
  "first-load": {
    peers: true,
    built: true,
    args: [],
    note: "Lighthouse, one run for each form",
    sections: section(
      "First load",
      "Scores of the production build; the goal is 95 or more on an idle machine. Below a form: what cost it points.",
      list,
    ),
  },
  crdt: {
    peers: true,
    args: options.quick ? ["--strokes=1000"] : [],
    note: "5 rounds in turns, CPU time; bytes do not depend on the machine",
    sections: section(
      "Merging beside Yjs, Automerge and Loro",
      "The same strokes of 40 points, drawn by ten visitors one after the other. The libraries store a map for each object; a message is one update of the library, without what a JSON channel adds (a third, as base64). [The decision](../docs/decisions/own-crdt.md) says what follows.",
    ),
  },
  parts: {
    peers: true,
    args: [],
    note: "Medians of 5 rounds in turns; CPU time",
    sections: section(
      "Hand-written parts beside ready-made ones",
      "What each part is for: [spatial index](../docs/decisions/spatial-index.md), [JSON scanner](../docs/decisions/json-scanner.md), [raw frames](../docs/decisions/raw-websocket-frames.md).",
    ),
  },
};

const chosen = options.only.split(",");
const unknown = chosen.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  refuse(`--only knows ${Object.keys(BENCHES).join(", ")}, not ${unknown.join(", ")}`);
if (!(Number(options.rounds) >= 3)) refuse("--rounds must be 3 or more: a median needs them");

const say = (line: string) => console.error(`-- ${line}`);
await setUpPackages(say);
if (chosen.some((name) => BENCHES[name]?.built)) await setUp(say);
if (chosen.some((name) => BENCHES[name]?.peers)) await installPeers();

for (const name of chosen) {
  const part = BENCHES[name] as Bench;
  say(name);
  const machine = await describeMachine();
  const since = Date.now();
  const output = await measure(fileURLToPath(new URL(`${name}/run.ts`, import.meta.url)), [
    ...part.args,
  ]);
  if (output === null) {
    console.error(`${name} failed: its part of the results stays as it was`);
    process.exitCode = 1;
    continue;
  }
  writeResults(part.sections(output), `${machine}. ${part.note}.`);
  say(`${name}: ${Math.round((Date.now() - since) / 1000)} s`);
}

function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

/** Installs the peers and Lighthouse, which nothing else of the project ever does. */
async function installPeers() {
  const wanted = fingerprint(ROOT, [PEERS_LOCK]);
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, "utf8") === wanted) return;
  say("installing the peers");
  const code = await new Promise((resolve) => {
    const child = spawn("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: PEERS,
      stdio: ["ignore", "ignore", "inherit"],
    });
    child.once("error", () => resolve(1));
    child.once("exit", resolve);
  });
  if (code !== 0) refuse("npm ci failed in bench/peers");
  writeFileSync(INSTALLED, wanted);
}

/**
 * Runs one part, passing on its output as it arrives.
 *
 * @returns What it wrote to stdout; null when it failed.
 */
function measure(script: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      process.stdout.write(text);
    });
    child.once("error", () => resolve(null));
    child.once("close", (code) => resolve(code === 0 ? output : null));
  });
}

/** Returns the lines of a report as a list, with indented lines below theirs. */
function list(output: string) {
  return output
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^(\s*)/, "$1- "))
    .join("\n");
}

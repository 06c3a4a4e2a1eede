/** Writes bench/RESULTS.md: one section for each part, and a run replaces only the sections that it measured. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { table } from "../lab/measuring/figures.ts";

const FILE = fileURLToPath(new URL("RESULTS.md", import.meta.url));

const INTRO = `# Results

Written by \`npm run bench\`; each section says when and on what it was measured. A section whose part was left out of a run keeps what an earlier run wrote. The machines are shared and have no GPU: read the ratios, not the times.

In the canvas sections the subjects take turns, each in a browser of its own, and every number is a median of all rounds. "floor" is a bare canvas that draws one segment for each pointer event and does nothing else; "naive" is a quick Fabric page that writes the whole drawing out after each change and loads it again for each remote one. Excalidraw and tldraw are their npm packages with the surroundings of the canvas hidden. "main thread" is CPU time; the other times are wall time. naive, Excalidraw and tldraw get fewer operations of each kind, since one of theirs can take seconds; for the same reason the worst frame of naive on the largest board is not measured.
`;

const SECTIONS = [
  "Canvas, 1,000 strokes of 40 points",
  "Canvas, 10,000 strokes of 40 points",
  "Canvas, from 1,000 to 10,000 strokes",
  "Pan and zoom",
  "A drawing of nearly 10 MB",
  "Files that take long",
  "A board with pictures",
  "Server fan-out",
  "One process beside three, with Redis",
  "Saves and sockets in one process",
  "Saves where many draw",
  "First load",
  "Merging beside Yjs, Automerge and Loro",
  "Hand-written parts beside ready-made ones",
];

/** The rows, each with the highest allowed ratio to the floor, or milliseconds for the worst frame. */
const ROWS = [
  { key: "ready", label: "page ready with the board painted, ms", goal: 2 },
  { key: "move", label: "drawing, main thread, ms per pointer move", goal: 1.3 },
  { key: "up", label: "pointer up, main thread, ms" },
  { key: "commit", label: "pointer up until painted, ms", goal: 3 },
  { key: "remote", label: "a remote stroke, main thread, ms", goal: 1.5 },
  { key: "drag", label: "dragging one object, main thread, ms per move", goal: 2 },
  { key: "hover", label: "hovering, main thread, ms per move", goal: 2 },
  { key: "frame", label: "worst frame while drawing under remote strokes, ms", limit: 50 },
  { key: "memory", label: "renderer's private memory, MB", goal: 2.5 },
];

const NAMES: Readonly<Record<string, string>> = {
  ours: "Inkpool",
  excalidraw: "Excalidraw",
  tldraw: "tldraw",
};
const GROWTH_LIMIT = 1.2;

/** The medians by row and by subject. */
type Medians = Record<string, Record<string, number | null>>;

/**
 * Returns the sections of a run of the canvas.
 *
 * @param sizes By the number of strokes.
 * @returns By title.
 */
export function canvasSections(sizes: Record<string, Medians>): Map<string, string> {
  const sections = new Map<string, string>();
  for (const [size, medians] of Object.entries(sizes))
    sections.set(
      `Canvas, ${Number(size).toLocaleString("en")} strokes of 40 points`,
      sizeTable(medians),
    );
  if (sizes[1000] && sizes[10_000])
    sections.set("Canvas, from 1,000 to 10,000 strokes", growthTable(sizes[1000], sizes[10_000]));
  return sections;
}

function sizeTable(medians: Medians) {
  const subjects = Object.keys(Object.values(medians)[0] ?? {});
  const rows = ROWS.map(({ key, label, goal, limit }) => {
    const values = medians[key] ?? {};
    const ratio = over(values.ours, values.floor);
    const wanted = goal === undefined ? "" : `${goal} x`;
    const value = goal === undefined ? values.ours : ratio;
    return [
      label,
      ...subjects.map((subject) => number(values[subject])),
      number(ratio),
      limit === undefined ? wanted : `${limit} ms`,
      limit !== undefined && (values.floor ?? 0) > limit
        ? "no, nor the floor"
        : verdict(value, goal ?? limit),
    ];
  });
  const names = subjects.map((subject) => NAMES[subject] ?? subject);
  return table(["", ...names, "Inkpool / floor", "goal", "met"], rows);
}

function growthTable(small: Medians, large: Medians) {
  const subjects = Object.keys(small.move ?? {});
  // Loading and memory follow the board by their nature.
  const rows = ROWS.filter(({ key }) => key !== "ready" && key !== "memory").map(
    ({ key, label }) => {
      const growths = subjects.map((subject) => over(large[key]?.[subject], small[key]?.[subject]));
      return [
        label.replace(/, ms.*/, ""),
        ...growths.map(number),
        verdict(growths[subjects.indexOf("ours")], GROWTH_LIMIT),
      ];
    },
  );
  const names = subjects.map((subject) => NAMES[subject] ?? subject);
  return `How many times as long the same operation takes; the goal is at most ${GROWTH_LIMIT}.\n\n${table(["", ...names, "met"], rows)}`;
}

function over(a: number | null | undefined, b: number | null | undefined) {
  return a == null || b == null ? null : a / b;
}

function verdict(value: number | null | undefined, limit: number | undefined) {
  if (value == null || limit === undefined) return "";
  return value <= limit ? "yes" : "**no**";
}

function number(value: number | null | undefined) {
  if (value == null) return "-";
  if (value < 10) return value.toFixed(2);
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

/**
 * Writes the sections of this run over the older ones.
 *
 * @param measured By title.
 * @param circumstances The options and the machine.
 */
export function writeResults(measured: Map<string, string>, circumstances: string) {
  const sections = readSections();
  for (const [title, body] of measured) sections.set(title, `${circumstances}\n\n${body}`);
  const titles = [...new Set([...SECTIONS, ...sections.keys()])];
  const text = titles.map((title) => `## ${title}\n\n${sections.get(title) ?? "Not run yet."}\n`);
  writeFileSync(FILE, `${INTRO}\n${text.join("\n")}`);
}

function readSections(): Map<string, string> {
  if (!existsSync(FILE)) return new Map();
  const [, ...parts] = readFileSync(FILE, "utf8").split(/^## /m);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf("\n");
      return [part.slice(0, end), part.slice(end).trim()];
    }),
  );
}

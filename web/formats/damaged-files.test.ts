import { expect, test } from "vitest";
import {
  damaged,
  HOSTILE_FILES,
  hostileFile,
  type HostileFormat,
} from "../../testing/hostile/files.ts";
import { createRandom, type Random } from "../../testing/random/random.ts";
import { readDrawing } from "./read-drawing.ts";
import { expectSound, svg } from "./reading-bed.case.ts";

/** Valid files, for random damage. */
const SOUND = [
  svg(
    '<style>.a{fill:red}</style><g transform="rotate(10 5,5)" opacity=".5"><rect class="a" x="1" y="2" width="3" height="4"/><path d="M0 0C1 2 3 4 5 6s7 8 9 10z" stroke="#123" stroke-dasharray="1 2"/><text x="1" y="2" font-size="12">words<tspan dy="1em" x="1">more</tspan></text><use href="#x"/></g><circle id="x" r="4" fill="url(#g)"/><linearGradient id="g"><stop offset="1"/></linearGradient>',
  ),
  JSON.stringify({
    ...{ type: "excalidraw", version: 2, appState: {}, files: {} },
    elements: [
      { type: "rectangle", x: 1, y: 2, width: 30, height: 40, angle: 0.5, strokeColor: "#1e1e1e" },
      {
        type: "arrow",
        x: 1,
        y: 2,
        points: [
          [0, 0],
          [10, 20],
          [30, 5],
        ],
        roundness: { type: 2 },
      },
      {
        type: "freedraw",
        x: 1,
        y: 2,
        points: [
          [0, 0],
          [1, 2],
        ],
        strokeWidth: 1,
        opacity: 40,
      },
      { type: "text", x: 1, y: 2, width: 3, height: 4, text: "hi", fontSize: 20, fontFamily: 1 },
    ],
  }),
  JSON.stringify({
    version: "5.3.0",
    objects: [
      { type: "rect", left: 1, top: 2, width: 3, height: 4, fill: "red", shadow: { blur: 3 } },
      {
        type: "group",
        objects: [
          { type: "circle", radius: 5 },
          { type: "image", src: "x" },
        ],
      },
      {
        type: "path",
        path: [
          ["M", 0, 0],
          ["Q", 1, 2, 3, 4],
        ],
        stroke: "#000",
        fill: null,
      },
      { type: "textbox", text: "hi", width: 40, styles: [{ start: 0, end: 1, style: {} }] },
    ],
  }),
] as const;

/** Returns the same file with a value somewhere in it replaced. */
function revalued(text: string, random: Random): string {
  const values: unknown[] = [null, -1, 1e308, "x", [], {}, true, [[]], "__proto__", 1e7 + 1, -0.5];
  return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
    random.boolean(0.06) ? random.pick(values) : value,
  );
}

test("UI-53 600 damaged files are read or refused, and never do harm", () => {
  let added = 0;
  for (let seed = 1; seed <= 600; seed++) {
    const random = createRandom(seed);
    const sound = random.pick(SOUND);
    const isJson = sound.startsWith("{") && random.boolean(0.5);
    const result = readDrawing(isJson ? revalued(sound, random) : damaged(sound, random));
    expectSound(result);
    if (result.ok) added += result.objects.length;
  }
  // The damage is small: most files still add objects.
  expect(added).toBeGreaterThan(400);
});

test.each(Object.keys(HOSTILE_FILES) as HostileFormat[])(
  "UI-53 1,000 hostile files of %s are read or refused, and never do harm",
  (format) => {
    const counts = { added: 0, leftOut: 0, refused: 0 };
    for (let seed = 1; seed <= 1_000; seed++) {
      const result = readDrawing(hostileFile(format, createRandom(seed)));
      expectSound(result);
      if (!result.ok) counts.refused += 1;
      else if (Object.keys(result.leftOut).length > 0) counts.leftOut += 1;
      if (result.ok) counts.added += result.objects.length;
    }
    // Each way occurs often: a generator whose files are all refused immediately would show nothing.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(100);
  },
);

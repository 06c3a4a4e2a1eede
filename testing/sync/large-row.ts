/** Makes rows whose drawing is costly to save. */

import { replaceRow } from "../network/backend.ts";
import { stroke, type TestBed } from "./test-bed.ts";

/** Puts a drawing of about so many bytes into the row. It consists of texts, which are read fastest. */
export function fillRow(bed: TestBed, bytes: number): void {
  const text = "x".repeat(9_900);
  const objects = Array.from({ length: Math.ceil(bytes / 10_000) }, (_, index) => ({
    id: `0filler-${index}`,
    type: "Text",
    text,
    left: index,
    z: index,
  }));
  const inkpool = { format: 1, seen: { "0filler": objects.length - 1 } };
  const drawing = { version: "7.4.0", objects, background: "white", inkpool };
  const updatedAt = new Date(bed.clock.now() - 1000).toISOString();
  replaceRow(bed.backend, { id: "row-1", updatedAt, text: JSON.stringify(drawing) });
}

/** One stroke of a visitor, with its id. */
export interface DrawnStroke {
  readonly id: string;
  readonly at: number;
  readonly by: number;
}

/**
 * Has visitors draw a stroke each, pause for 1 to `longest` seconds, and so on. `eachSecond` gets the strokes so far;
 * a visitor for whom `isGone` is true draws no more.
 */
export async function drawTogether(
  bed: TestBed,
  clients: readonly {
    readonly editor: {
      add(objects: ReturnType<typeof stroke>[]): readonly { readonly id: string }[];
    };
  }[],
  options: {
    readonly seconds: number;
    readonly longest: number;
    readonly isGone?: (visitor: number) => boolean;
    readonly eachSecond?: (drawn: readonly DrawnStroke[], second: number) => void;
  },
): Promise<DrawnStroke[]> {
  const { clock, random } = bed;
  const next = clients.map(() => random.integer(0, 3));
  const drawn: DrawnStroke[] = [];
  for (let second = 0; second < options.seconds; second += 1) {
    for (const [by, { editor }] of clients.entries()) {
      if (next[by] !== second) continue;
      next[by] = second + random.integer(1, options.longest);
      if (options.isGone?.(by)) continue;
      for (const { id } of editor.add([stroke(second, by)]))
        drawn.push({ id, at: clock.now(), by });
    }
    await clock.advance(1000);
    options.eachSecond?.(drawn, second);
  }
  return drawn;
}

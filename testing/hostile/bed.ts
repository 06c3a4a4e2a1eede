/** Plays honest pages at a board to which a hostile visitor writes and broadcasts. */

import { replaceRow } from "../network/backend.ts";
import {
  BrokenPromise,
  createHonestStrokes,
  helpVisit,
  type HonestStrokes,
} from "../sync/honest-strokes.ts";
import {
  createObservation,
  resolve,
  resolveMessage,
  type HostileMessage,
  type Observation,
} from "./marks.ts";
import { createTestBed, stroke, type TestBed, type Visit } from "../sync/test-bed.ts";

/** One step of a history with a hostile visitor. */
export type HostileStep =
  | { readonly do: "row"; readonly row: unknown }
  | { readonly do: "message"; readonly message: HostileMessage }
  /** An honest page draws. */
  | { readonly do: "draw"; readonly page: number }
  | { readonly do: "look"; readonly page: number }
  | { readonly do: "wait"; readonly ms: number };

interface Run {
  readonly bed: TestBed;
  readonly pages: readonly Visit[];
  readonly strokes: HonestStrokes;
  drawn: number;
  readonly known: Observation;
  readonly send: (message: HostileMessage) => void;
}

const PAGES = 2;

/** Plays a history; then the hostile visitor stops. @throws BrokenPromise when something honest is lost. */
export async function playHostile(steps: readonly HostileStep[]): Promise<void> {
  const run = await openRun();
  for (const step of steps) {
    await take(run, step);
    run.strokes.check(run.pages);
  }
  await settle(run);
}

async function openRun(): Promise<Run> {
  const bed = createTestBed(7);
  const pages = Array.from({ length: PAGES }, (_, at) => bed.visit(`page ${at}`));
  const known = createObservation();
  const channel = bed.backend.open("attacker").openChannel("attacker", {
    status: () => undefined,
    presence: () => undefined,
    broadcast: (event, payload) => known.observe({ event, payload }),
  });
  const run: Run = {
    bed,
    pages,
    strokes: createHonestStrokes(bed),
    drawn: 0,
    known,
    send: ({ event, payload }) => void channel.send(event, (payload ?? null) as object),
  };
  await bed.clock.advance(100);
  // This existed before: some of it is saved, some is not.
  draw(run, 0);
  draw(run, 1);
  await bed.clock.advance(6_000);
  draw(run, 0);
  await bed.clock.advance(500);
  return run;
}

async function take(run: Run, step: HostileStep): Promise<void> {
  const { bed, pages, known } = run;
  switch (step.do) {
    case "row": {
      const { row } = bed.backend;
      if (row && known.rows.at(-1) !== row.text) known.rows.push(row.text);
      const text = JSON.stringify(resolve(step.row, known)) ?? "null";
      const time = new Date(bed.clock.now()).toISOString();
      replaceRow(bed.backend, { id: row?.id ?? "row-1", updatedAt: time, text });
      return;
    }
    case "message":
      run.send(resolveMessage(step.message, known));
      // It arrives before the next step, and the latest drawing has not been sent yet.
      return bed.clock.advance(1);
    case "draw":
      return draw(run, step.page % pages.length);
    case "look":
      pages[step.page % pages.length]?.page("visible");
      return;
    case "wait":
      return bed.clock.advance(step.ms);
  }
}

function draw(run: Run, page: number): void {
  const by = run.pages[page] as Visit;
  run.drawn += 1;
  const path = `M0 0q5 5 10 ${run.drawn}.5`;
  if (by.client.editor.add([{ ...stroke(run.drawn, page), path }]).length > 0)
    run.strokes.add(path, by);
}

async function settle(run: Run): Promise<void> {
  const { bed, pages, strokes } = run;
  for (let page = 0; page < pages.length; page++) draw(run, page);
  for (let attempt = 0; attempt < 3; attempt++) {
    await bed.clock.advance(20_000);
    strokes.check(pages);
    for (const visit of pages) helpVisit(visit);
  }
  await bed.clock.advance(90_000);
  const { updates } = bed.backend.counts;
  await bed.clock.advance(60_000);
  if (bed.backend.counts.updates > updates)
    throw new BrokenPromise("the pages save although nothing changes");
  strokes.check(pages);
  strokes.checkEnd(pages);
  for (const { client } of pages) await client.dispose();
}

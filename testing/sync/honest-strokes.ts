/** Checks the promises about the strokes of honest visitors, whoever else is at the board. */

import { contentKey } from "../../board/content-key.ts";
import type { BoardObject } from "../../board/drawing.ts";
import { GROUPS, stampOf } from "../../board/groups.ts";
import { parseDrawing } from "../../board/parse.ts";
import type { TestBed, Visit } from "./test-bed.ts";

/** The error for a broken promise to honest visitors. */
export class BrokenPromise extends Error {}

export interface HonestStrokes {
  /** Notes that a visitor draws a stroke of this path, which no other has, since its id may change. */
  add(path: string, by: Visit): void;
  /** Runs an act of an honest visitor, who may remove any stroke. */
  act(visit: Visit, run: () => void): void;
  /**
   * Checks during the history: a page shows the strokes that its visitor drew, except for those that somebody else
   * can have received and removed, logs nothing but bad input, and says "saved" only of what the row has contained.
   * @throws BrokenPromise
   */
  check(visits: readonly Visit[]): void;
  /**
   * Checks at the end: all pages show what the row contains, and every stroke exists, or is in the history, or was
   * removed by somebody else who had received it. @throws BrokenPromise
   */
  checkEnd(visits: readonly Visit[]): void;
}

/** Matches what a page logs about bad input and bad networks. Anything else was thrown. */
const EXPECTED_LOG =
  /^(?:An update was left out|An unsaved change of this device|The saved drawing cannot be read|\d+ saved objects are left out|The canvas was not (?:saved|loaded))/;

export function createHonestStrokes({ backend }: TestBed): HonestStrokes {
  const strokes = new Map<string, Visit>();
  const gone = new Set<string>();
  const lost = new Set<string>();
  const sent: string[] = [];

  const wasInRow = lasting((path) =>
    [...backend.replaced, ...(backend.row ? [backend.row] : [])].some(({ text }) =>
      text.includes(path),
    ),
  );
  const wasSent = lasting((path) => {
    for (const { payload } of backend.wire.slice(sent.length)) sent.push(JSON.stringify(payload));
    return sent.some((text) => text.includes(path));
  });
  const mayBeGone = (path: string): boolean => gone.has(path) || wasInRow(path) || wasSent(path);

  return {
    add: (path, by) => void strokes.set(path, by),
    act(visit, run) {
      const before = pathsOf(visit);
      run();
      const after = pathsOf(visit);
      for (const path of before) if (!after.has(path)) gone.add(path);
    },
    check(visits) {
      for (const visit of visits) {
        const { name, client, log } = visit;
        const ids = client.objects().map(({ id }) => id);
        if (new Set(ids).size !== ids.length) fail(`${name} shows an object twice`);
        const thrown = log.find((line) => !EXPECTED_LOG.test(line));
        if (thrown !== undefined) fail(`${name} failed: ${thrown}`);
        const shown = pathsOf(visit);
        const own = pathsOf(visit, ({ id }) => !isCopy(id));
        const isSaved = client.saveState.get().state === "saved";
        for (const [path, by] of strokes) {
          if (by !== visit) continue;
          if (!shown.has(path) && !mayBeGone(path)) fail(`${name} lost the stroke ${path}`);
          // A stroke that somebody else restores, or replaces by the copy of a plain client, is for that client to
          // save.
          if (!shown.has(path) || !own.has(path)) lost.add(path);
          if (isSaved && !lost.has(path) && !wasInRow(path))
            fail(`${name} says saved, and no row ever contained ${path}`);
        }
      }
    },
    checkEnd(visits) {
      const row = parseDrawing(backend.row?.text);
      if (!row.ok) return fail(`the row: ${row.reason}`);
      // A plain client, which keeps no ids, wrote it, and nothing has changed since.
      const signature = row.foreign ? contents : stamps;
      const expected = signature(row.drawing.objects);
      for (const visit of visits) {
        const state = visit.client.saveState.get();
        if (state.state !== "saved") fail(`${visit.name} is ${JSON.stringify(state)}`);
        if (signature(visit.client.objects()) !== expected)
          fail(`${visit.name} differs from the row`);
        const shown = pathsOf(visit);
        for (const path of strokes.keys())
          if (!shown.has(path) && !mayBeGone(path)) fail(`${path} is lost`);
      }
    },
  };
}

/** Does what only a visitor can do: replaces a row that cannot be read, and empties a board that is too full to be saved. */
export function helpVisit({ client, notices }: Visit): void {
  if (client.saveState.get().state === "unreadable") {
    client.clear();
    client.undo();
  }
  const isFull = notices.some(({ kind }) => kind === "full" || kind === "error");
  if (isFull && client.saveState.get().state !== "saved")
    client.editor.remove(client.objects().flatMap(({ id }) => (id.startsWith("rep-") ? [id] : [])));
}

function pathsOf(
  { client }: Visit,
  counts: (object: BoardObject) => boolean = () => true,
): ReadonlySet<string> {
  const objects = client.objects().filter(counts);
  return new Set(objects.map(({ path }) => (typeof path === "string" ? path : "")));
}

/** True for an id that was made from an object's content: a plain client wrote it. No page of this year has such a name. */
function isCopy(id: string): boolean {
  return id.startsWith("f");
}

/** Returns ids, incarnations and stamps, which determine the values. */
function stamps(objects: readonly BoardObject[]): string {
  return objects
    .map((object) => {
      const each = GROUPS.map((group) => stampOf(object, group).join());
      return `${object.id} ${object.life ?? 0} ${object.z} ${each.join(" ")}`;
    })
    .join("\n");
}

function contents(objects: readonly BoardObject[]): string {
  return objects
    .map((object) => contentKey(object))
    .sort()
    .join("\n");
}

/** Asks no more once the answer is yes: rows and messages that existed stay so. */
function lasting(is: (path: string) => boolean): (path: string) => boolean {
  const found = new Set<string>();
  return (path) => {
    if (!found.has(path) && is(path)) found.add(path);
    return found.has(path);
  };
}

function fail(what: string): never {
  throw new BrokenPromise(what);
}

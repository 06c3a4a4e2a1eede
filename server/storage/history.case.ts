/** The tests that the history of every database must pass. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createHistoryBed,
  DAY,
  drawingOf,
  HOUR,
  MINUTE,
  SLOTS,
  START,
  type HistoryBed,
  type StoredVersion,
} from "./history-bed.case.ts";
import { examineBudget } from "./history-budget.case.ts";
import { SQLITE_NOW } from "./defaults.ts";
import type { Database } from "./port.ts";

const SECOND = 1000;
const MB = 1024 * 1024;
const BUDGET = 200 * MB;

const isAt = (saved: number, replaced: number, length: number): boolean =>
  Math.floor((replaced - 1) / length) * length >= saved;

/**
 * Runs the tests.
 * @param open Opens an empty database.
 */
export function examineHistory(kind: string, open: () => Promise<Database>): void {
  describe(`history on ${kind}`, () => {
    let bed: HistoryBed;
    beforeAll(async () => {
      bed = await createHistoryBed(await open());
    });
    afterAll(() => bed.database.close());
    beforeEach(async () => {
      await bed.setBudget(BUDGET);
      await bed.setClock(START);
      await bed.empty();
    });
    examineCopies(() => bed);
    examineRow(() => bed);
    examineRetention(() => bed);
    examineMarks(() => bed);
    examineBudget(() => bed);
  });
}

function examineCopies(bed: () => HistoryBed): void {
  test("STO-14 a drawing that a write replaces or deletes is kept with its times, bytes and number of objects", async () => {
    const { database, save, setClock, versions } = bed();
    await save('{"objects":[1,{"é":"🎨"},3]}');
    await setClock(START + 10 * SECOND);
    await save('{"objects":[1,2]}');
    await setClock(START + 90 * SECOND);
    await database.query("delete from canvas_state");
    const stored = await versions();
    expect(stored).toMatchObject([
      { version: 1, replaced: START + 10 * SECOND, bytes: 31, objects: 3, loss: false },
      { version: 2, saved: START + 10 * SECOND, replaced: START + 90 * SECOND, bytes: 17 },
    ]);
    expect(stored[1]).toMatchObject({ objects: 2, loss: true });
    expect(await bed().drawing(stored[0]?.id ?? 0)).toBe('{"objects":[1,{"é":"🎨"},3]}');
  });

  test("STO-14 writing the same drawing again, or the time alone, keeps nothing", async () => {
    const { database, save, versions } = bed();
    await save('{"objects":[1]}');
    await save('{"objects":[1]}');
    await database.query("update canvas_state set updated_at = $1", ["2026-01-01T00:00:00+00:00"]);
    expect(await versions()).toEqual([]);
  });

  test("STO-14 a text that is no drawing counts no objects, and is kept as it was", async () => {
    const { database, save, setClock, versions } = bed();
    const odd = ["[]", "7", "null", '{"objects":{"a":1}}', '{"objects":null}', '{"x":"objects"}'];
    // SQLite's column accepts any text, and PostgreSQL's accepts this one.
    odd.push(database.dialect === "sqlite" ? "{nonsense" : '{"objects":["\\u0000"]}');
    for (const [index, drawing] of odd.entries()) {
      await setClock(START + index * MINUTE);
      await save(drawing);
    }
    await save("{}");
    const stored = await versions();
    expect(stored.map(({ objects }) => objects)).toEqual(odd.map(() => 0));
    const texts = await Promise.all(stored.map(({ id }) => bed().drawing(id)));
    expect(texts).toEqual(odd);
  });

  test("STO-14 a new row after a delete begins at version 1, and the history goes on", async () => {
    const { database, save, setClock, versions } = bed();
    await save('{"objects":[1]}');
    await setClock(START + MINUTE);
    await database.query("delete from canvas_state");
    await setClock(START + 2 * MINUTE);
    expect(await save('{"objects":[1,2,3]}')).toBe(1);
    await setClock(START + 3 * MINUTE);
    expect(await save('{"objects":[]}')).toBe(2);
    const stored = await versions();
    expect(stored.map(({ version, objects }) => [version, objects])).toEqual([
      [1, 1],
      [1, 3],
    ]);
  });
}

function examineRow(bed: () => HistoryBed): void {
  const row = async (): Promise<Record<string, unknown>> =>
    (await bed().database.query("select version, updated_at from canvas_state")).rows[0] ?? {};

  test("STO-14 the row's version counts changes of canvas_json and ignores a writer's value", async () => {
    const { database } = bed();
    const write = (sets: string): Promise<unknown> =>
      database.query(`update canvas_state set ${sets}`);
    await database.query("insert into canvas_state (canvas_json, version) values ('{}', 99)");
    expect(await row()).toMatchObject({ version: 1 });
    await write("canvas_json = '[1]', version = 99");
    expect(await row()).toMatchObject({ version: 2 });
    await write("canvas_json = '[2]'");
    expect(await row()).toMatchObject({ version: 3 });
    await write("canvas_json = '[2]', version = 1");
    await write("updated_at = '2026-01-01T00:00:00+00:00'");
    await write("version = version + 1");
    expect(await row()).toEqual({ version: 3, updated_at: "2026-01-01T00:00:00+00:00" });
  });

  test("STO-14 a write that changes canvas_json changes updated_at, also when the writer does not", async () => {
    const { database, save } = bed();
    await save("{}");
    const now = database.dialect === "sqlite" ? SQLITE_NOW : "now()";
    await database.query(`update canvas_state set updated_at = ${now}`);
    const times = new Set([(await row())["updated_at"]]);
    for (let n = 0; n < 20; n++) {
      await save(`[${n}]`);
      times.add((await row())["updated_at"]);
    }
    expect(times.size).toBe(21);
    for (const time of times)
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/);
    const given = "2027-01-01T00:00:00+00:00";
    await database.query("update canvas_state set canvas_json = $1, updated_at = $2", [
      "{}",
      given,
    ]);
    expect(await row()).toMatchObject({ updated_at: given });
  });
}

function examineRetention(bed: () => HistoryBed): void {
  /** Selects the versions that are stored for their time: without the one that was replaced last, losses and milestones. */
  const timely = (stored: readonly StoredVersion[]): readonly StoredVersion[] =>
    stored.slice(0, -1).filter(({ loss, milestone }) => !loss && !milestone);

  test("STO-16 the drawings at the last full minutes, hours, days and the slots between them are kept, and nothing else", async () => {
    const { write, setClock, versions } = bed();
    // They are as dense as the slots of their age need: for 28 days one every six hours, for four days one every two,
    // for a day one every 31 minutes, then one every 20 s for 70 minutes, with the same number of objects throughout.
    const times: number[] = [];
    const add = (from: number, to: number, pause: number): void => {
      for (let at = START + from; at < START + to; at += pause) times.push(at);
    };
    add(0, 28 * DAY, 361 * MINUTE);
    add(28 * DAY, 32 * DAY, 121 * MINUTE);
    add(32 * DAY, 33 * DAY, 31 * MINUTE);
    add(33 * DAY, 33 * DAY + 70 * MINUTE, 20 * SECOND);
    let n = 0;
    for (const at of times) {
      await setClock(at);
      await write(`{"objects":[${100_000 + n++}]}`);
    }
    const now = times.at(-1) ?? 0;
    const stored = await versions();
    const at = (boundary: number): StoredVersion | undefined =>
      stored.find(({ saved, replaced }) => saved <= boundary && boundary < replaced);
    const needed = new Set<StoredVersion | undefined>();
    for (const { length, max } of SLOTS) {
      const last = Math.floor((now - 1) / length) * length;
      // They are 31 minutes apart: a boundary of less than an hour may have the drawing of the one before.
      const sure = length < HOUR ? Math.min(max, Math.floor((70 * MINUTE) / length)) : max;
      for (let n = 0; n < sure; n++) {
        const boundary = last - n * length;
        if (boundary <= START) break;
        expect(at(boundary), `${n} boundaries of ${length} ms before now`).toBeDefined();
        needed.add(at(boundary));
      }
    }
    const spare = timely(stored).filter((one) => !needed.has(one));
    for (const { saved, replaced } of spare)
      expect([5, 15].some((some) => isAt(saved, replaced, some * MINUTE))).toBe(true);
    expect(spare.length).toBeLessThanOrEqual(24 + 24);
  });

  test("STO-16 a session that is long past keeps its minutes until as many newer ones have come", async () => {
    const { save, setClock, versions } = bed();
    for (let n = 0; n < 70; n++) {
      await setClock(START + n * MINUTE + SECOND);
      await save(`{"objects":[${100 + n}]}`);
    }
    await setClock(START + 400 * DAY);
    await save('{"objects":[1]}');
    expect((await versions()).length).toBeGreaterThanOrEqual(60);
  });

  test("STO-16 the drawing that was replaced last is there, until the next save replaces it", async () => {
    const { save, setClock, versions } = bed();
    await save('{"objects":[1,2,3,4]}');
    for (let n = 0; n < 5; n++) {
      await setClock(START + 60_500 + n * SECOND);
      const version = await save(`{"objects":[1,2,3,${n}]}`);
      expect((await versions()).at(-1)?.version).toBe(version - 1);
    }
    // The first is a milestone and was the drawing at the full minute; of the others only the last one remains.
    expect((await versions()).map(({ version }) => version)).toEqual([1, 5]);
  });

  test("STO-16 a drawing that nobody touched for 40 days is kept when it is replaced", async () => {
    const { save, setClock, versions } = bed();
    await save('{"objects":[1,2,3,4]}');
    await setClock(START + 40 * DAY);
    await save('{"objects":[5,6,7,8]}');
    await setClock(START + 40 * DAY + 1);
    await save('{"objects":[9,9,9,9]}');
    expect((await versions()).map(({ version }) => version)).toEqual([1, 2]);
  });

  test.each([
    ["two years ahead", 730 * DAY],
    ["two years back", -730 * DAY],
    ["an hour back", -HOUR],
    ["three days ahead", 3 * DAY],
  ])(
    "STO-16 saves while the clock is %s end nothing, nor do those when it is right again",
    async (_, leap) => {
      const { save, setClock, versions } = bed();
      let at = START;
      let n = 0;
      const saves = async (count: number, pause: number, ahead: number): Promise<void> => {
        for (let left = count; left > 0; left--) {
          at += pause;
          await setClock(at + ahead);
          await save(`{"objects":[${100 + n++}]}`);
        }
      };
      // They are 12 days, 8 hours and 20 minutes apart, so that each boundary has a drawing of its own.
      await saves(12, DAY, 0);
      await saves(8, HOUR, 0);
      await saves(20, MINUTE, 0);
      const before = (await versions()).map(({ id }) => id);
      const last = await save(`{"objects":[${100 + n++}]}`);
      await saves(3, SECOND, leap);
      const during = await versions();
      const there = during.map(({ id }) => id);
      // The exception is the one that was the last then.
      expect(before.slice(0, -1).filter((id) => !there.includes(id))).toEqual([]);
      await saves(10, MINUTE, 0);
      const stored = await versions();
      const ids = stored.map(({ id }) => id);
      expect(before.slice(0, -1).filter((id) => !ids.includes(id))).toEqual([]);
      // This is the drawing during which the clock leapt.
      expect(stored.map(({ version }) => version)).toContain(last);
      for (const { saved, replaced } of stored) expect(saved).toBeLessThanOrEqual(replaced);
    },
  );
}

function examineMarks(bed: () => HistoryBed): void {
  test("STO-16 the drawing before a great loss of objects or bytes is kept for 30 days", async () => {
    const { save, setClock, versions } = bed();
    const steps = [drawingOf(10, 500, "a"), drawingOf(4, 500, "b"), drawingOf(4, 249, "c")];
    for (const [index, drawing] of steps.entries()) {
      await setClock(START + index * SECOND);
      await save(drawing);
    }
    for (let day = 1; day <= 29; day++) {
      await setClock(START + day * DAY + HOUR);
      await save(drawingOf(4, 249, `${day}`));
    }
    const losses = (await versions()).filter(({ loss }) => loss);
    expect(losses.map(({ objects, bytes }) => [objects, bytes])).toEqual([
      [10, 500],
      [4, 500],
    ]);
    await setClock(START + 31 * DAY);
    await save(drawingOf(4, 249, "later"));
    expect((await versions()).filter(({ loss }) => loss)).toEqual([]);
  });

  test("STO-16 the first drawing of a day with twice the objects is kept for 30 days", async () => {
    const { save, setClock, versions } = bed();
    for (let objects = 0; objects <= 100; objects++) {
      await setClock(START + HOUR + objects * SECOND);
      await save(drawingOf(objects, 0, ""));
    }
    await setClock(START + 29 * DAY);
    await save("{}");
    const milestones = (await versions()).filter(({ milestone }) => milestone);
    expect(milestones.map(({ objects }) => objects)).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 100]);
  });
}

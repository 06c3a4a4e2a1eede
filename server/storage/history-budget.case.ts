/** Tests that the history keeps to its budget. */

import { expect, test } from "vitest";
import { drawingOf, MINUTE, START, type HistoryBed } from "./history-bed.case.ts";

export function examineBudget(bed: () => HistoryBed): void {
  test("STO-16 a budget of 0 keeps nothing, and a smaller one takes effect at once", async () => {
    const { save, setClock, versions, setBudget } = bed();
    for (let n = 0; n < 10; n++) {
      await setClock(START + n * MINUTE);
      await save(drawingOf(1, 1000, `${n}`));
    }
    await setBudget(3500);
    expect((await versions()).length).toBe(3);
    await setBudget(0);
    expect(await versions()).toEqual([]);
    expect(await save(drawingOf(1, 1000, "off"))).toBe(11);
    expect(await versions()).toEqual([]);
    await setBudget(3500);
    await save("{}");
    expect((await versions()).map(({ version, bytes }) => [version, bytes])).toEqual([[11, 1000]]);
  });

  test("STO-16 a drawing over the whole budget is not kept and pushes nothing out", async () => {
    const { save, setBudget, versions } = bed();
    await setBudget(1000);
    for (const bytes of [300, 2000, 300]) await save(drawingOf(1, bytes, ""));
    await save("{}");
    expect((await versions()).map(({ bytes }) => bytes)).toEqual([300, 300]);
  });

  test("STO-16 tiny drawings are at most 512", async () => {
    const { save, versions } = bed();
    await save("{}");
    await addLosses(bed(), 600);
    await save("[]");
    const stored = await versions();
    expect(stored.map(({ bytes }) => bytes)).toContain(2);
    expect(stored.length).toBe(512);
  });
}

/** Adds versions before a loss in one step, since each save would decide about all of them again. */
async function addLosses({ database }: HistoryBed, count: number): Promise<void> {
  const { rows } = await database.query(
    database.dialect === "sqlite"
      ? "select sql from sqlite_master where name = 'canvas_history_prune'"
      : "select 'select 1' as sql",
  );
  if (database.dialect === "sqlite") await database.query("drop trigger canvas_history_prune");
  await database.query(
    `insert into canvas_history
       (version, saved_at, replaced_at, bytes, objects, next_bytes, next_objects, milestone, canvas_json)
     with recursive n (at) as (select 1 union all select at + 1 from n where at < $1)
     select at, clock_of_the_test.now, clock_of_the_test.now, 24, 4, 14, 0, false, '{"objects":[1,2,3,4]}'
     from n, clock_of_the_test`,
    [count],
  );
  await database.query(String(rows[0]?.["sql"]));
}

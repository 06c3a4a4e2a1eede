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
    const { database, save, setClock, versions } = bed();
    await save('{"objects":[]}');
    const one = "update canvas_state set canvas_json =";
    const many = `${one} '{"objects":[1,2,3,4]}'; ${one} '{"objects":[]}';`.repeat(100);
    for (let n = 0; n < 4; n++) {
      await setClock(START + n * MINUTE);
      await database.query(many);
    }
    const stored = await versions();
    expect(stored.length).toBeGreaterThan(400);
    expect(stored.length).toBeLessThanOrEqual(512);
  }, 60_000);
}

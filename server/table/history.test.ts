import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UNKNOWN_ID, examineTableApi, type TableApi } from "../../testing/servers/table-api.ts";
import { createLogger } from "../process/log.ts";
import { parseSettings } from "../settings/settings.ts";
import type { Database } from "../storage/port.ts";
import { openDatabase } from "../storage/setup/open.ts";

const MB = 1024 * 1024;

await examineTableApi("version and history", (api) => {
  test("TAB-26 the version of the row is read and guarded by, and no client sets it", async () => {
    const inserted = await api.client
      .from("canvas_state")
      .insert({ canvas_json: { objects: [1] }, version: 40 })
      .select("id,version")
      .single();
    expect(inserted.data).toMatchObject({ version: 1 });
    const { id } = inserted.data as { id: string };
    const save = (drawing: unknown, version: number) =>
      api.client
        .from("canvas_state")
        .update({ canvas_json: drawing, version: 99 })
        .eq("id", id)
        .eq("version", version)
        .select("version,canvas_json");
    expect((await save({ objects: [2] }, 1)).data).toEqual([
      { version: 2, canvas_json: { objects: [2] } },
    ]);
    expect((await save({ objects: [3] }, 1)).data).toEqual([]);
    // Saving the same drawing again is no change.
    expect((await save({ objects: [2] }, 2)).data).toMatchObject([{ version: 2 }]);
    const upserted = await api.client
      .from("canvas_state")
      .upsert({ id, canvas_json: { objects: [4] }, version: 7 })
      .select("version")
      .single();
    expect(upserted.data).toEqual({ version: 3 });
    const alone = await api.client
      .from("canvas_state")
      .update({ version: 50 })
      .eq("id", id)
      .select("version")
      .single();
    expect(alone.data).toEqual({ version: 3 });
    const service = await api.owner
      .from("canvas_state")
      .update({ version: 50 })
      .eq("id", id)
      .select("version");
    expect(service.data).toEqual([{ version: 3 }]);
    const bad = await api.call("canvas_state?version=eq.1.5");
    expect([bad.status, bad.json]).toMatchObject([400, { code: "22P02" }]);
  });

  test("TAB-26 a change without updated_at changes it, and the answer shows the row as it is afterwards", async () => {
    const { id } = await api.seed();
    const read = async (): Promise<unknown> =>
      (await api.client.from("canvas_state").select("*").single()).data;
    const before = (await read()) as { updated_at: string };
    const shown = await api.client
      .from("canvas_state")
      .update({ canvas_json: { objects: [] } })
      .eq("id", id)
      .select()
      .single();
    expect(shown.data).toEqual(await read());
    expect(shown.data?.updated_at > before.updated_at).toBe(true);
    const { updated_at } = shown.data as { updated_at: string };
    const again = await api.client
      .from("canvas_state")
      .update({ canvas_json: { objects: [1] }, updated_at })
      .eq("id", id)
      .select("updated_at,version")
      .single();
    expect(again.data?.version).toBe(3);
    expect(again.data?.updated_at > updated_at).toBe(true);
  });

  test("TAB-26 only the service key changes the id of the row", async () => {
    const { id } = await api.seed();
    const rename = (client: TableApi["client"], from: string, to: string) =>
      client.from("canvas_state").update({ id: to, canvas_json: {} }).eq("id", from).select("id");
    const refused = await rename(api.client, id, UNKNOWN_ID);
    expect(refused).toMatchObject({
      status: 401,
      data: null,
      error: {
        code: "42501",
        message: 'only the service role may change the id of a row of "canvas_state"',
      },
    });
    expect((await rename(api.client, id, id)).data).toEqual([{ id }]);
    const spelled = `{${id.toUpperCase()}}`;
    expect((await rename(api.client, id, spelled)).data).toEqual([{ id }]);
    expect((await rename(api.client, UNKNOWN_ID, id)).data).toEqual([]);
    expect((await rename(api.owner, id, UNKNOWN_ID)).data).toEqual([{ id: UNKNOWN_ID }]);
    expect((await rename(api.owner, UNKNOWN_ID, id)).data).toEqual([{ id }]);
  });

  test("TAB-26 a visitor chooses the id of a new row, and repeats it in an upsert", async () => {
    const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
    const put = (objects: readonly number[]) =>
      api.client
        .from("canvas_state")
        .upsert({ id, canvas_json: { objects } })
        .select("id,canvas_json")
        .single();
    for (const objects of [[1], [2]])
      expect((await put(objects)).data).toEqual({ id, canvas_json: { objects } });
  });

  test("TAB-27 every visitor lists the replaced drawings and reads one of them by its id", async () => {
    const { id } = await api.seed({ objects: [1, 2, 3] });
    const before = await count(api);
    const vandal = await api.write("PATCH", `canvas_state?id=eq.${id}`, { canvas_json: {} });
    expect(vandal.status).toBe(204);
    const listed = await api.client
      .from("canvas_history")
      .select("id,saved_at,bytes,objects", { count: "exact" })
      .order("saved_at", { ascending: false })
      .order("id", { ascending: false });
    expect(listed.count).toBe(before + 1);
    expect(listed.data?.[0]).toEqual({
      id: expect.any(Number),
      saved_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
      bytes: 19,
      objects: 3,
    });
    const one = await api.client
      .from("canvas_history")
      .select("canvas_json,loss,version")
      .eq("id", listed.data?.[0]?.id)
      .single();
    expect(one.data).toEqual({ canvas_json: { objects: [1, 2, 3] }, loss: true, version: 1 });
    const losses = await api.client.from("canvas_history").select("loss").is("loss", true);
    expect(losses.data?.every(({ loss }) => loss === true)).toBe(true);
    const rest = await api.client.from("canvas_history").select("loss").not("loss", "eq", true);
    expect(rest.data?.every(({ loss }) => loss === false)).toBe(true);
    expect((rest.data?.length ?? 0) + (losses.data?.length ?? 0)).toBe(before + 1);
  });

  test("TAB-27 a save by the service key and a delete are kept as well", async () => {
    const { id } = await api.seed({ objects: ["by a visitor"] });
    await api.owner
      .from("canvas_state")
      .update({ canvas_json: { objects: [] } })
      .eq("id", id);
    expect(await newest(api)).toEqual({ objects: ["by a visitor"] });
    await api.owner
      .from("canvas_state")
      .update({ canvas_json: { objects: ["by the owner"] } })
      .eq("id", id);
    await api.owner.from("canvas_state").delete().eq("id", id);
    expect(await newest(api)).toEqual({ objects: ["by the owner"] });
  });

  test("TAB-27 nobody writes the history: 42501 for every key and method", async () => {
    const { id } = await api.seed({ objects: [1] });
    await api.write("PATCH", `canvas_state?id=eq.${id}`, { canvas_json: {} });
    const before = await count(api);
    for (const [client, status] of [
      [api.client, 401],
      [api.owner, 403],
    ] as const) {
      const history = client.from("canvas_history");
      const answers = [
        await history.insert({ canvas_json: {}, bytes: 2 }),
        await history.update({ canvas_json: {} }).gt("id", 0),
        await history.upsert({ id: 1, canvas_json: {} }),
        await history.delete().gt("id", 0),
        await history.delete(),
      ];
      for (const { status: given, error } of answers)
        expect([given, error]).toMatchObject([
          status,
          { code: "42501", message: "permission denied for table canvas_history" },
        ]);
    }
    expect(await count(api)).toBe(before);
    const hidden = await api.owner.from("canvas_history_settings").select("*");
    expect(hidden.error).toMatchObject({ code: "PGRST205" });
  });

  test("TAB-27 drawings of several versions go out as far as 4 MB go, one of any size always", async () => {
    const { id } = await api.seed({ objects: [] });
    const sizes = [3, 9, 1, 1, 1, 1];
    for (const size of [...sizes, 0]) {
      // Half of it is a great loss, so that each of them is stored.
      const note = "x".repeat(size * MB);
      await api.write("PATCH", `canvas_state?id=eq.${id}`, { canvas_json: { objects: [], note } });
      await api.write("PATCH", `canvas_state?id=eq.${id}`, { canvas_json: { objects: [] } });
    }
    const { data: listed } = await api.client
      .from("canvas_history")
      .select("id,bytes")
      .gt("bytes", MB)
      .order("id");
    const ids = (listed ?? []).slice(-sizes.length).map((row) => Number(row.id));
    const read = async (query: string) => {
      const answer = await api.call(`canvas_history?id=gte.${ids[0]}&bytes=gt.1000000&${query}`);
      const rows = (answer.json as { id: number }[]).map((row) => ids.indexOf(row.id));
      return [rows, answer.headers.get("content-range")];
    };
    expect(await read("select=id&order=id")).toEqual([[0, 1, 2, 3, 4, 5], "0-5/*"]);
    expect(await read("select=*&order=id")).toEqual([[0], "0-0/*"]);
    expect(await read("select=*&order=id&offset=1")).toEqual([[1], "1-1/*"]);
    expect(await read("select=id,canvas_json&order=id&offset=2&limit=3")).toEqual([
      [2, 3, 4],
      "2-4/*",
    ]);
    expect(await read("select=*&order=id.desc")).toEqual([[5, 4, 3], "0-2/*"]);
    const single = await api.client.from("canvas_history").select("*").eq("id", ids[1]).single();
    expect(single.data?.bytes).toBeGreaterThan(9 * MB);
  });

  test("TAB-27 a path into the drawings of the history is refused", async () => {
    for (const query of [
      "select=canvas_json->objects",
      "select=n:canvas_json->>note",
      "canvas_json->>note=eq.x",
      "order=canvas_json->>note",
    ]) {
      const answer = await api.call(`canvas_history?${query}`);
      expect([query, answer.status, answer.json]).toMatchObject([query, 400, { code: "0A000" }]);
    }
  });
});

test("STO-16 with HISTORY_BYTES=0 the server keeps nothing, and the stored versions go", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "inkpool-history-"));
  const open = (bytes: string): Promise<Database> => {
    const parsed = parseSettings({ DATA_DIR: dataDir, HISTORY_BYTES: bytes }, "/");
    if (!parsed.ok) throw new Error(parsed.problems.join());
    return openDatabase(
      parsed.settings,
      createLogger("error", () => {}, Date.now),
    );
  };
  const listed = async (database: Database): Promise<unknown> =>
    (await database.query("select objects from canvas_history")).rows;
  const save = (database: Database, drawing: string) =>
    database.query("update canvas_state set canvas_json = $1", [drawing]);
  const on = await open("100000");
  await on.query("insert into canvas_state (canvas_json) values ($1)", ['{"objects":[1]}']);
  await save(on, '{"objects":[]}');
  expect(await listed(on)).toEqual([{ objects: 1 }]);
  await on.close();
  const off = await open("0");
  expect(await listed(off)).toEqual([]);
  expect((await save(off, "{}")).rowCount).toBe(1);
  expect(await listed(off)).toEqual([]);
  await off.close();
  rmSync(dataDir, { recursive: true });
});

async function count(api: TableApi): Promise<number> {
  const answer = await api.client.from("canvas_history").select("id", { count: "exact" });
  return answer.count ?? 0;
}

async function newest(api: TableApi): Promise<unknown> {
  const { data } = await api.client
    .from("canvas_history")
    .select("canvas_json")
    .order("id", { ascending: false })
    .limit(1)
    .single();
  return data?.canvas_json;
}

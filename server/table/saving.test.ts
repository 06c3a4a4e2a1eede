import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { startServer } from "../../testing/servers/server.ts";
import { DRAWING, examineTableApi } from "../../testing/servers/table-api.ts";
import { callTable, type RawResponse } from "../../testing/servers/table-client.ts";
import { createLogger } from "../process/log.ts";
import { parseSettings } from "../settings/settings.ts";
import { openDatabase } from "../storage/setup/open.ts";

const MB10 = 10 * 1024 * 1024;

await examineTableApi("saving and loading", (api) => {
  test("TAB-1 the page's load, save and insert work with the client as it is", async () => {
    const load = () =>
      api.client
        .from("canvas_state")
        .select("*")
        .order("updated_at", { ascending: false })
        .limit(1)
        .single();
    const empty = await load();
    expect(empty.status).toBe(406);
    expect(empty.error).toEqual({
      code: "PGRST116",
      details: "The result contains 0 rows",
      hint: null,
      message: "Cannot coerce the result to a single JSON object",
    });
    const none = await api.client.from("canvas_state").select("id").limit(1);
    expect(none.data).toEqual([]);
    const inserted = await api.client.from("canvas_state").insert({ canvas_json: DRAWING });
    expect(inserted).toMatchObject({ status: 201, error: null, data: null });
    const ids = await api.client.from("canvas_state").select("id").limit(1);
    const id = ids.data?.[0]?.id as string;
    const updatedAt = new Date().toISOString();
    const saved = await api.client
      .from("canvas_state")
      .update({ canvas_json: { ...DRAWING, background: "red" }, updated_at: updatedAt })
      .eq("id", id);
    expect(saved).toMatchObject({ status: 204, error: null });
    const loaded = await load();
    expect(loaded.data).toMatchObject({ id, canvas_json: { ...DRAWING, background: "red" } });
    expect(Date.parse((loaded.data as { updated_at: string }).updated_at)).toBe(
      Date.parse(updatedAt),
    );
  });

  test("SAV-10 a guarded update touches the row only when updated_at is still the one that was read", async () => {
    const { id, updated_at } = await api.seed();
    const save = (lastRead: string) =>
      api.client
        .from("canvas_state")
        .update({ canvas_json: { objects: [] }, updated_at: new Date().toISOString() })
        .eq("id", id)
        .eq("updated_at", lastRead)
        .select("id,updated_at");
    const first = await save(updated_at);
    expect(first.data).toHaveLength(1);
    expect((await save(updated_at)).data).toEqual([]);
    expect((await save(String(first.data?.[0]?.updated_at))).data).toHaveLength(1);
  });

  test("TAB-3 a drawing of 10485760 bytes is saved byte for byte, one byte more fails canvas_json_size_check", async () => {
    const { id } = await api.seed();
    const drawing = (bytes: number): string => `{"objects":["${"x".repeat(bytes - 16)}"]}`;
    const save = (json: string): Promise<RawResponse> =>
      api.write("PATCH", `canvas_state?id=eq.${id}`, `{"canvas_json":${json}}`);
    expect((await save(drawing(MB10))).status).toBe(204);
    const { text } = await api.call("canvas_state?select=canvas_json");
    expect(text === `[{"canvas_json":${drawing(MB10)}}]`).toBe(true);
    const refused = await save(drawing(MB10 + 1));
    expect(refused.status).toBe(400);
    expect(refused.json).toEqual({
      code: "23514",
      details: "Failing row contains (...).",
      hint: null,
      message:
        'new row for relation "canvas_state" violates check constraint "canvas_json_size_check"',
    });
    expect((await api.call("canvas_state?select=canvas_json")).text).toBe(text);
  });

  test("TAB-3 numbers, escapes and the order of keys stay as they were, on SQLite without white space", async () => {
    const spaced = '{ "b": [ 1.0, 1e2, -0 ],\n\t"a": "\\u00e9  \\/" }';
    const { id } = await api.seed();
    await api.write("PATCH", `canvas_state?id=eq.${id}`, `{"canvas_json":${spaced}}`);
    const stored = api.kind === "SQLite" ? '{"b":[1.0,1e2,-0],"a":"\\u00e9  \\/"}' : spaced;
    expect((await api.call("canvas_state?select=canvas_json")).text).toBe(
      `[{"canvas_json":${stored}}]`,
    );
  });

  test("TAB-4 a second row is refused with 409 and 23505, by any id", async () => {
    const { id } = await api.seed();
    const again = await api.write("POST", "canvas_state", { canvas_json: {} });
    expect([again.status, again.json]).toMatchObject([409, { code: "23505" }]);
    const same = await api.write("POST", "canvas_state", { id, canvas_json: {} });
    expect([same.status, same.json]).toMatchObject([409, { code: "23505" }]);
    const two = await api.write("POST", "canvas_state", [{ canvas_json: {} }, { canvas_json: {} }]);
    expect(two.status).toBe(409);
    expect((await api.client.from("canvas_state").select("id")).data).toEqual([{ id }]);
  });

  test("TAB-4 two first saves at the same time leave one row", async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => api.write("POST", "canvas_state", { canvas_json: {} })),
    );
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  test("TAB-5 a visitor's delete touches no row: 204, or 200 with an empty list", async () => {
    const { id } = await api.seed();
    const plain = await api.client.from("canvas_state").delete().eq("id", id);
    expect(plain).toMatchObject({ status: 204, error: null });
    const shown = await api.client.from("canvas_state").delete().eq("id", id).select();
    expect(shown).toMatchObject({ status: 200, data: [] });
    expect((await api.client.from("canvas_state").select("id")).data).toEqual([{ id }]);
    const byOwner = await api.owner.from("canvas_state").delete().eq("id", id).select("id");
    expect(byOwner.data).toEqual([{ id }]);
  });

  test("TAB-5 an update or delete without a filter is refused with 21000", async () => {
    await api.seed();
    const update = await api.write("PATCH", "canvas_state", { canvas_json: {} });
    expect([update.status, update.json]).toMatchObject([
      400,
      { code: "21000", message: "UPDATE requires a WHERE clause" },
    ]);
    const remove = await api.call("canvas_state", { method: "DELETE" });
    expect([remove.status, remove.json]).toMatchObject([
      400,
      { code: "21000", message: "DELETE requires a WHERE clause" },
    ]);
  });

  test("TAB-20 a save that was acknowledged is there after kill -9", async () => {
    const server = await startServer({ env: api.env });
    const drawing = { objects: [{ type: "Path", note: "x".repeat(100_000) }] };
    for (const [method, path, json] of [
      ["POST", "canvas_state", DRAWING],
      ["PATCH", "canvas_state?version=eq.1", drawing],
    ] as const) {
      const body = JSON.stringify({ canvas_json: json });
      expect((await callTable(server, path, { method, body })).status).toBeLessThan(300);
    }
    await server.kill();
    const parsed = parseSettings({ DATA_DIR: server.dataDir, ...api.env }, "/");
    if (!parsed.ok) throw new Error(parsed.problems.join());
    const log = createLogger("error", () => {}, Date.now);
    const database = await openDatabase(parsed.settings, log);
    const sql = "select version, cast(canvas_json as text) as drawing from canvas_state";
    const { rows } = await database.query(sql);
    expect(rows).toEqual([{ version: expect.anything(), drawing: JSON.stringify(drawing) }]);
    expect(Number(rows[0]?.["version"])).toBe(2);
    await database.close();
    rmSync(server.dataDir, { recursive: true });
  });
});

import { expect, test } from "vitest";
import { DRAWING, UNKNOWN_ID, examineTableApi } from "../../testing/servers/table-api.ts";

await examineTableApi("queries and responses", (api) => {
  test("TAB-7 select takes columns, renames and JSON paths", async () => {
    const { id } = await api.seed();
    const shown = async (select: string): Promise<unknown> =>
      (await api.call(`canvas_state?select=${encodeURIComponent(select)}`)).json;
    expect(await shown("id")).toEqual([{ id }]);
    expect(await shown("drawing:canvas_json,key:id")).toEqual([{ drawing: DRAWING, key: id }]);
    expect(await shown("canvas_json->objects->1->>text")).toEqual([{ text: 'é 🎨 "x"' }]);
    expect(await shown("canvas_json->objects->-1->type")).toEqual([{ type: "Text" }]);
    expect(await shown("n:canvas_json->objects->0->>left,m:canvas_json->nothing")).toEqual([
      { n: "1.5", m: null },
    ]);
    expect(await shown("canvas_json->>background,canvas_json->objects")).toEqual([
      { background: "white", objects: DRAWING.objects },
    ]);
  });

  test("TAB-7 filters: eq neq gt gte lt lte in is like ilike, not, or, and", async () => {
    const { id, updated_at } = await api.seed();
    const hits = async (query: string): Promise<number> => {
      const { json, status } = await api.call(`canvas_state?select=id&${query}`);
      expect([query, status]).toEqual([query, 200]);
      return (json as unknown[]).length;
    };
    const time = encodeURIComponent(updated_at);
    const yes = [
      `id=eq.${id}`,
      `id=eq.${id.toUpperCase()}`,
      `id=neq.${UNKNOWN_ID}`,
      `updated_at=eq.${time}`,
      `updated_at=gte.${time}`,
      "updated_at=gt.2020-01-01",
      "updated_at=lt.2200-01-01T00:00:00Z",
      `id=in.(${UNKNOWN_ID},"${id}")`,
      "canvas_json=not.is.null",
      "id=is.not_null",
      "canvas_json->>background=eq.white",
      "canvas_json->>background=like.w*te",
      "canvas_json->>background=ilike.W%25E",
      "canvas_json->>background=not.like.W*",
      "canvas_json->objects->0->>type=in.(Rect,Path)",
      `or=(id.eq.${UNKNOWN_ID},canvas_json->>background.eq.white)`,
      `and=(id.eq.${id},or(id.eq.${UNKNOWN_ID},updated_at.gt.2020-01-01))`,
      `not.or=(id.eq.${UNKNOWN_ID},canvas_json->>background.in.("a,b",c))`,
    ];
    for (const query of yes) expect([query, await hits(query)]).toEqual([query, 1]);
    const no = [
      `id=eq.${UNKNOWN_ID}`,
      `id=neq.${id}`,
      `updated_at=gt.${time}`,
      "id=is.null",
      "id=in.()",
      `id=not.eq.${id}`,
      "canvas_json->>background=like.W*",
      "canvas_json->>background=like.w[h]ite",
      "canvas_json->>nothing=neq.x",
      `id=eq.${id}&id=eq.${UNKNOWN_ID}`,
      `and=(id.eq.${id},not.or(id.eq.${id}))`,
    ];
    for (const query of no) expect([query, await hits(query)]).toEqual([query, 0]);
  });

  test("TAB-9 order, limit, offset and Range, with Content-Range and a count", async () => {
    await api.seed();
    const range = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await api.call(`canvas_state?select=id&${query}`, { headers });
      return [answer.status, answer.headers.get("content-range")];
    };
    const count = { prefer: "count=exact" };
    expect(await range("order=updated_at.desc.nullslast,id.asc&limit=1")).toEqual([200, "0-0/*"]);
    expect(await range("limit=0")).toEqual([200, "*/*"]);
    expect(await range("offset=5")).toEqual([200, "*/*"]);
    expect(await range("limit=1", count)).toEqual([200, "0-0/1"]);
    expect(await range("limit=0", count)).toEqual([206, "*/1"]);
    expect(await range("", { ...count, range: "0-9", "range-unit": "items" })).toEqual([
      200,
      "0-0/1",
    ]);
    expect(await range("", { range: "3-1" })).toEqual([416, null]);
    expect(await range("offset=1", count)).toEqual([206, "*/1"]);
    const beyond = await api.call("canvas_state?offset=4", { headers: count });
    expect([beyond.status, beyond.json]).toEqual([
      416,
      {
        code: "PGRST103",
        details: "An offset of 4 was requested, but there are only 1 rows.",
        hint: null,
        message: "Requested range not satisfiable",
      },
    ]);
    const head = await api.client.from("canvas_state").select("*", { count: "exact", head: true });
    expect(head).toMatchObject({ status: 200, count: 1, data: null });
  });

  test("TAB-10 insert and update return the row, its address or nothing, as Prefer says", async () => {
    const minimal = await api.write("POST", "canvas_state", { canvas_json: {} }, "return=minimal");
    expect([minimal.status, minimal.text]).toEqual([201, ""]);
    expect(minimal.headers.get("preference-applied")).toBe("return=minimal");
    await api.owner.from("canvas_state").delete().neq("id", UNKNOWN_ID);
    const located = await api.write(
      "POST",
      "canvas_state",
      { canvas_json: {} },
      "return=headers-only",
    );
    const { data } = await api.client.from("canvas_state").select("id").single();
    const { id } = data as { id: string };
    expect(located.headers.get("location")).toBe(`/canvas_state?id=eq.${id}`);
    const shown = await api.write(
      "PATCH",
      `canvas_state?id=eq.${id}&select=canvas_json`,
      { canvas_json: { objects: [1] } },
      "return=representation, count=exact",
    );
    expect([shown.status, shown.json]).toEqual([200, [{ canvas_json: { objects: [1] } }]]);
    expect(shown.headers.get("content-range")).toBe("0-0/1");
    expect(shown.headers.get("preference-applied")).toBe("return=representation, count=exact");
    const nothing = await api.write("PATCH", `canvas_state?id=eq.${id}`, {});
    expect(nothing.status).toBe(204);
    const short = await api.write("PATCH", `canvas_state?id=eq.${id}`, {
      updated_at: "2026-01-02",
    });
    expect(short.status).toBe(204);
    const after = await api.client.from("canvas_state").select("*").single();
    expect(after.data).toEqual({
      id,
      canvas_json: { objects: [1] },
      updated_at: "2026-01-02T00:00:00+00:00",
      version: 2,
    });
  });

  test("TAB-10 an update or delete of more rows than max-affected changes nothing", async () => {
    const { id } = await api.seed();
    const path = `canvas_state?id=eq.${id}`;
    const none = "handling=strict, max-affected=0";
    const body = { canvas_json: { objects: [1] } };
    for (const prefer of [none, `${none}, return=representation`])
      expect((await api.write("PATCH", path, body, prefer)).json).toEqual({
        code: "PGRST124",
        details: "The query affects 1 rows",
        hint: null,
        message: "Query result exceeds max-affected preference constraint",
      });
    const headers = { apikey: api.server.serviceKey, prefer: none };
    expect((await api.call(path, { method: "DELETE", headers })).status).toBe(400);
    const { data } = await api.client.from("canvas_state").select("canvas_json").single();
    expect(data).toEqual({ canvas_json: DRAWING });
    const one = await api.write("PATCH", path, body, "handling=strict, max-affected=1");
    expect([one.status, one.headers.get("preference-applied")]).toEqual([
      204,
      "handling=strict, max-affected=1",
    ]);
    const lenient = await api.write("PATCH", path, { canvas_json: {} }, "max-affected=0");
    expect([lenient.status, lenient.headers.get("preference-applied")]).toEqual([204, null]);
  });

  test("TAB-10 a write that asks for one object and does not give one row changes nothing", async () => {
    const { id } = await api.seed();
    const none = await api.client
      .from("canvas_state")
      .update({ canvas_json: {} })
      .eq("id", UNKNOWN_ID)
      .select()
      .single();
    expect(none.error).toMatchObject({ code: "PGRST116", details: "The result contains 0 rows" });
    const empty = await api.call("canvas_state", {
      method: "POST",
      body: "[]",
      headers: { prefer: "return=representation" },
    });
    expect([empty.status, empty.json]).toEqual([201, []]);
    expect((await api.client.from("canvas_state").select("id")).data).toEqual([{ id }]);
  });

  test("TAB-12 upsert merges or ignores by the primary key", async () => {
    const { id } = await api.seed();
    const merged = await api.client
      .from("canvas_state")
      .upsert({ id, canvas_json: { objects: [2] } })
      .select("id,canvas_json")
      .single();
    expect(merged.data).toEqual({ id, canvas_json: { objects: [2] } });
    const ignored = await api.client
      .from("canvas_state")
      .upsert({ id, canvas_json: { objects: [3] } }, { onConflict: "id", ignoreDuplicates: true })
      .select("id");
    expect(ignored).toMatchObject({ error: null, data: [] });
    const other = await api.client
      .from("canvas_state")
      .upsert({ canvas_json: {} }, { onConflict: "updated_at" });
    expect(other.error).toMatchObject({ code: "42P10" });
    expect((await api.client.from("canvas_state").select("canvas_json").single()).data).toEqual({
      canvas_json: { objects: [2] },
    });
  });

  test("TAB-12 an upsert that merges is 201 when it adds a row, otherwise 200", async () => {
    const id = "11111111-2222-3333-4444-555555555555";
    const body = { id, canvas_json: { objects: [1] } };
    const upsert = async (prefer: string, given: object = body): Promise<unknown> => {
      const { status, json, headers } = await api.write("POST", "canvas_state", given, prefer);
      return [status, json, headers.get("content-range")];
    };
    const merge = "resolution=merge-duplicates";
    expect(await upsert(merge)).toEqual([201, undefined, "*/*"]);
    expect(await upsert(merge)).toEqual([200, undefined, "*/*"]);
    expect(await upsert(`${merge},return=headers-only,count=exact`)).toEqual([
      200,
      undefined,
      "*/1",
    ]);
    const shown = await upsert(`${merge},return=representation`);
    expect(shown).toEqual([200, [expect.objectContaining(body)], "*/*"]);
    expect(await upsert(merge, [])).toEqual([200, undefined, "*/*"]);
    expect((await upsert("resolution=ignore-duplicates")) as number[]).toContain(201);
  });

  test("TAB-12 an upsert without columns is one of defaults, which is refused where they lack the drawing", async () => {
    const statuses: unknown[] = [];
    for (const body of ["{}", "[{}]", '{"version":1}'])
      for (const resolution of ["merge-duplicates", "ignore-duplicates"]) {
        const prefer = `resolution=${resolution}`;
        const { status, json } = await api.write("POST", "canvas_state", body, prefer);
        statuses.push([status, (json as { code: string }).code]);
      }
    expect(statuses).toEqual(Array.from({ length: 6 }, () => [400, "23502"]));
    const lock = api.owner.from("canvas_settings");
    expect((await lock.upsert({}).select()).data).toEqual([]);
    expect((await lock.select()).data).toEqual([{ id: 1, locked: false }]);
  });

  test("TAB-12 a list of objects is inserted together, missing columns by null or by default", async () => {
    const one = await api.client
      .from("canvas_state")
      .insert([{ canvas_json: { objects: [] } }], { defaultToNull: false })
      .select("canvas_json");
    expect(one.data).toEqual([{ canvas_json: { objects: [] } }]);
    await api.owner.from("canvas_state").delete().neq("id", UNKNOWN_ID);
    const nulled = await api.write("POST", "canvas_state?columns=id,canvas_json", [
      { canvas_json: 1 },
    ]);
    expect([nulled.status, nulled.json]).toMatchObject([400, { code: "23502" }]);
    const filled = await api.write(
      "POST",
      "canvas_state?columns=id,canvas_json",
      [{ canvas_json: 1, other: 2 }],
      "missing=default",
    );
    expect(filled.status).toBe(201);
    const uneven = await api.write("POST", "canvas_state", [
      { canvas_json: 1 },
      { id: UNKNOWN_ID },
    ]);
    expect(uneven.json).toMatchObject({
      code: "PGRST102",
      message: "All object keys must match",
    });
  });

  test("TAB-15 a value that a column cannot store is refused with PostgreSQL's code", async () => {
    const { id } = await api.seed();
    const cases: readonly [string, string, unknown, number, string][] = [
      ["POST", "canvas_state", {}, 400, "23502"],
      ["POST", "canvas_state", { canvas_json: null }, 400, "23502"],
      ["PATCH", `canvas_state?id=eq.${id}`, { canvas_json: null }, 400, "23502"],
      ["POST", "canvas_state", { id: "abc", canvas_json: {} }, 400, "22P02"],
      ["POST", "canvas_state", { id: { a: 1 }, canvas_json: {} }, 400, "22P02"],
      ["PATCH", `canvas_state?id=eq.${id}`, { updated_at: "yesterday" }, 400, "22007"],
      ["PATCH", `canvas_state?id=eq.${id}`, { updated_at: "2026-02-30" }, 400, "22007"],
      ["PATCH", "canvas_state?id=eq.abc", { canvas_json: {} }, 400, "22P02"],
      ["POST", "canvas_state", { canvas_json: {}, color: "red" }, 400, "PGRST204"],
    ];
    for (const [method, path, body, status, code] of cases) {
      const answer = await api.write(method, path, body);
      expect([path, body, answer.status, answer.json]).toMatchObject([
        path,
        body,
        status,
        { code },
      ]);
    }
    const unknown = await api.write("POST", "canvas_state", { canvas_json: {}, color: "red" });
    expect(unknown.json).toEqual({
      code: "PGRST204",
      details: null,
      hint: null,
      message: "Could not find the 'color' column of 'canvas_state' in the schema cache",
    });
  });
});

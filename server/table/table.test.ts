import { createClient } from "@supabase/supabase-js";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import ws from "ws";
import { openTestPostgres } from "../../testing/postgres.ts";
import { startServer } from "../../testing/server.ts";
import type { TestServer } from "../../testing/server.ts";
import { callTable } from "../../testing/table-client.ts";
import type { RawAnswer, RawRequest } from "../../testing/table-client.ts";

const found = await openTestPostgres();
afterAll(async () => {
  if (found.ok) await found.postgres.stop();
});

examineTableApi("SQLite", async () => ({}));
if (found.ok)
  examineTableApi("PostgreSQL", async () => ({
    DATABASE_URL: await found.postgres.createDatabase(),
  }));
else test.skip(`the table API on PostgreSQL (${found.reason})`, () => {});

const MB10 = 10 * 1024 * 1024;
const NOBODY = "00000000-0000-4000-8000-000000000000";
const DRAWING = {
  version: "7.4.0",
  objects: [
    { type: "Path", left: 1.5 },
    { type: "Text", text: 'é 🎨 "x"' },
  ],
  background: "white",
};

function examineTableApi(kind: string, makeEnv: () => Promise<Record<string, string>>): void {
  describe(`the table API on ${kind}`, () => {
    let server: TestServer;
    let client: SupabaseClient;
    let owner: SupabaseClient;
    let env: Record<string, string>;

    const call = (path: string, request?: RawRequest): Promise<RawAnswer> =>
      callTable(server, path, request);
    const write = (method: string, path: string, body: unknown, prefer = ""): Promise<RawAnswer> =>
      call(path, {
        method,
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: prefer === "" ? {} : { prefer },
      });
    const seed = async (
      drawing: unknown = DRAWING,
    ): Promise<{ id: string; updated_at: string }> => {
      const { data, error } = await client
        .from("canvas_state")
        .insert({ canvas_json: drawing })
        .select("id,updated_at")
        .single();
      expect(error).toBeNull();
      return data as { id: string; updated_at: string };
    };

    beforeAll(async () => {
      env = { TABLE_RATE_LIMIT: "0", ...(await makeEnv()) };
      server = await startServer({ env });
      client = connect(server, server.anonKey);
      owner = connect(server, server.serviceKey);
    });
    beforeEach(async () => {
      const { error } = await owner.from("canvas_state").delete().neq("id", NOBODY);
      expect(error).toBeNull();
    });
    afterAll(async () => {
      const { stderr } = await server.stop();
      expect(stderr).not.toContain(" error ");
    });

    test("TAB-1 the page's load, save and insert work with the client as it is", async () => {
      const load = () =>
        client
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
      const none = await client.from("canvas_state").select("id").limit(1);
      expect(none.data).toEqual([]);
      const inserted = await client.from("canvas_state").insert({ canvas_json: DRAWING });
      expect(inserted).toMatchObject({ status: 201, error: null, data: null });
      const ids = await client.from("canvas_state").select("id").limit(1);
      const id = ids.data?.[0]?.id as string;
      const updatedAt = new Date().toISOString();
      const saved = await client
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

    test("TAB-2 a guarded update touches the row only when updated_at is still the one that was seen", async () => {
      const { id, updated_at } = await seed();
      const save = (seen: string) =>
        client
          .from("canvas_state")
          .update({ canvas_json: { objects: [] }, updated_at: new Date().toISOString() })
          .eq("id", id)
          .eq("updated_at", seen)
          .select("id,updated_at");
      const first = await save(updated_at);
      expect(first.data).toHaveLength(1);
      expect((await save(updated_at)).data).toEqual([]);
      expect(
        (await save((first.data?.[0] as { updated_at: string }).updated_at)).data,
      ).toHaveLength(1);
    });

    test("TAB-3 a drawing of 10485760 bytes is saved byte for byte, one byte more fails canvas_json_size_check", async () => {
      const { id } = await seed();
      const drawing = (bytes: number): string => `{"objects":["${"x".repeat(bytes - 16)}"]}`;
      const save = (json: string): Promise<RawAnswer> =>
        write("PATCH", `canvas_state?id=eq.${id}`, `{"canvas_json":${json}}`);
      expect((await save(drawing(MB10))).status).toBe(204);
      const { text } = await call("canvas_state?select=canvas_json");
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
      expect((await call("canvas_state?select=canvas_json")).text).toBe(text);
    });

    test("TAB-4 a second row is refused with 409 and 23505, by whatever id", async () => {
      const { id } = await seed();
      const again = await write("POST", "canvas_state", { canvas_json: {} });
      expect([again.status, again.json]).toMatchObject([409, { code: "23505" }]);
      const same = await write("POST", "canvas_state", { id, canvas_json: {} });
      expect([same.status, same.json]).toMatchObject([409, { code: "23505" }]);
      const two = await write("POST", "canvas_state", [{ canvas_json: {} }, { canvas_json: {} }]);
      expect(two.status).toBe(409);
      expect((await client.from("canvas_state").select("id")).data).toEqual([{ id }]);
    });

    test("TAB-4 two first saves at the same moment leave one row", async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => write("POST", "canvas_state", { canvas_json: {} })),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    });

    test("TAB-5 a visitor's delete touches no row: 204, or 200 with an empty list", async () => {
      const { id } = await seed();
      const plain = await client.from("canvas_state").delete().eq("id", id);
      expect(plain).toMatchObject({ status: 204, error: null });
      const shown = await client.from("canvas_state").delete().eq("id", id).select();
      expect(shown).toMatchObject({ status: 200, data: [] });
      expect((await client.from("canvas_state").select("id")).data).toEqual([{ id }]);
      const byOwner = await owner.from("canvas_state").delete().eq("id", id).select("id");
      expect(byOwner.data).toEqual([{ id }]);
    });

    test("TAB-6 an update or delete without a filter is refused with 21000", async () => {
      await seed();
      const update = await write("PATCH", "canvas_state", { canvas_json: {} });
      expect([update.status, update.json]).toMatchObject([
        400,
        { code: "21000", message: "UPDATE requires a WHERE clause" },
      ]);
      const remove = await call("canvas_state", { method: "DELETE" });
      expect([remove.status, remove.json]).toMatchObject([
        400,
        { code: "21000", message: "DELETE requires a WHERE clause" },
      ]);
    });

    test("TAB-7 select takes columns, renames and JSON paths", async () => {
      const { id } = await seed();
      const shown = async (select: string): Promise<unknown> =>
        (await call(`canvas_state?select=${encodeURIComponent(select)}`)).json;
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

    test("TAB-8 filters: eq neq gt gte lt lte in is like ilike, not, or, and", async () => {
      const { id, updated_at } = await seed();
      const hits = async (query: string): Promise<number> => {
        const { json, status } = await call(`canvas_state?select=id&${query}`);
        expect([query, status]).toEqual([query, 200]);
        return (json as unknown[]).length;
      };
      const time = encodeURIComponent(updated_at);
      const yes = [
        `id=eq.${id}`,
        `id=eq.${id.toUpperCase()}`,
        `id=neq.${NOBODY}`,
        `updated_at=eq.${time}`,
        `updated_at=gte.${time}`,
        "updated_at=gt.2020-01-01",
        "updated_at=lt.2200-01-01T00:00:00Z",
        `id=in.(${NOBODY},"${id}")`,
        "canvas_json=not.is.null",
        "id=is.not_null",
        "canvas_json->>background=eq.white",
        "canvas_json->>background=like.w*te",
        "canvas_json->>background=ilike.W%25E",
        "canvas_json->>background=not.like.W*",
        "canvas_json->objects->0->>type=in.(Rect,Path)",
        `or=(id.eq.${NOBODY},canvas_json->>background.eq.white)`,
        `and=(id.eq.${id},or(id.eq.${NOBODY},updated_at.gt.2020-01-01))`,
        `not.or=(id.eq.${NOBODY},canvas_json->>background.in.("a,b",c))`,
      ];
      for (const query of yes) expect([query, await hits(query)]).toEqual([query, 1]);
      const no = [
        `id=eq.${NOBODY}`,
        `id=neq.${id}`,
        `updated_at=gt.${time}`,
        "id=is.null",
        "id=in.()",
        `id=not.eq.${id}`,
        "canvas_json->>background=like.W*",
        "canvas_json->>background=like.w[h]ite",
        "canvas_json->>nothing=neq.x",
        `id=eq.${id}&id=eq.${NOBODY}`,
        `and=(id.eq.${id},not.or(id.eq.${id}))`,
      ];
      for (const query of no) expect([query, await hits(query)]).toEqual([query, 0]);
    });

    test("TAB-9 order, limit, offset and Range, with Content-Range and a count", async () => {
      await seed();
      const range = async (query: string, headers: Record<string, string> = {}) => {
        const answer = await call(`canvas_state?select=id&${query}`, { headers });
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
      const beyond = await call("canvas_state?offset=4", { headers: count });
      expect([beyond.status, beyond.json]).toEqual([
        416,
        {
          code: "PGRST103",
          details: "An offset of 4 was requested, but there are only 1 rows.",
          hint: null,
          message: "Requested range not satisfiable",
        },
      ]);
      const head = await client.from("canvas_state").select("*", { count: "exact", head: true });
      expect(head).toMatchObject({ status: 200, count: 1, data: null });
    });

    test("TAB-10 insert and update answer with the row, its address or nothing, as Prefer says", async () => {
      const minimal = await write("POST", "canvas_state", { canvas_json: {} }, "return=minimal");
      expect([minimal.status, minimal.text]).toEqual([201, ""]);
      expect(minimal.headers.get("preference-applied")).toBe("return=minimal");
      await owner.from("canvas_state").delete().neq("id", NOBODY);
      const located = await write(
        "POST",
        "canvas_state",
        { canvas_json: {} },
        "return=headers-only",
      );
      const { data } = await client.from("canvas_state").select("id").single();
      const { id } = data as { id: string };
      expect(located.headers.get("location")).toBe(`/canvas_state?id=eq.${id}`);
      const shown = await write(
        "PATCH",
        `canvas_state?id=eq.${id}&select=canvas_json`,
        { canvas_json: { objects: [1] } },
        "return=representation, count=exact",
      );
      expect([shown.status, shown.json]).toEqual([200, [{ canvas_json: { objects: [1] } }]]);
      expect(shown.headers.get("content-range")).toBe("0-0/1");
      expect(shown.headers.get("preference-applied")).toBe("return=representation, count=exact");
      const nothing = await write("PATCH", `canvas_state?id=eq.${id}`, {});
      expect(nothing.status).toBe(204);
      const short = await write("PATCH", `canvas_state?id=eq.${id}`, { updated_at: "2026-01-02" });
      expect(short.status).toBe(204);
      const after = await client.from("canvas_state").select("*").single();
      expect(after.data).toEqual({
        id,
        canvas_json: { objects: [1] },
        updated_at: "2026-01-02T00:00:00+00:00",
      });
    });

    test("TAB-11 a write that asks for one object and does not give one row changes nothing", async () => {
      const { id } = await seed();
      const none = await client
        .from("canvas_state")
        .update({ canvas_json: {} })
        .eq("id", NOBODY)
        .select()
        .single();
      expect(none.error).toMatchObject({ code: "PGRST116", details: "The result contains 0 rows" });
      const empty = await call("canvas_state", {
        method: "POST",
        body: "[]",
        headers: { prefer: "return=representation" },
      });
      expect([empty.status, empty.json]).toEqual([201, []]);
      expect((await client.from("canvas_state").select("id")).data).toEqual([{ id }]);
    });

    test("TAB-12 upsert merges or ignores by the primary key", async () => {
      const { id } = await seed();
      const merged = await client
        .from("canvas_state")
        .upsert({ id, canvas_json: { objects: [2] } })
        .select("id,canvas_json")
        .single();
      expect(merged.data).toEqual({ id, canvas_json: { objects: [2] } });
      const ignored = await client
        .from("canvas_state")
        .upsert({ id, canvas_json: { objects: [3] } }, { onConflict: "id", ignoreDuplicates: true })
        .select("id");
      expect(ignored).toMatchObject({ error: null, data: [] });
      const other = await client
        .from("canvas_state")
        .upsert({ canvas_json: {} }, { onConflict: "updated_at" });
      expect(other.error).toMatchObject({ code: "42P10" });
      expect((await client.from("canvas_state").select("canvas_json").single()).data).toEqual({
        canvas_json: { objects: [2] },
      });
    });

    test("TAB-13 a list of objects is inserted together, missing columns by null or by default", async () => {
      const one = await client
        .from("canvas_state")
        .insert([{ canvas_json: { objects: [] } }], { defaultToNull: false })
        .select("canvas_json");
      expect(one.data).toEqual([{ canvas_json: { objects: [] } }]);
      await owner.from("canvas_state").delete().neq("id", NOBODY);
      const nulled = await write("POST", "canvas_state?columns=id,canvas_json", [
        { canvas_json: 1 },
      ]);
      expect([nulled.status, nulled.json]).toMatchObject([400, { code: "23502" }]);
      const filled = await write(
        "POST",
        "canvas_state?columns=id,canvas_json",
        [{ canvas_json: 1, other: 2 }],
        "missing=default",
      );
      expect(filled.status).toBe(201);
      const uneven = await write("POST", "canvas_state", [{ canvas_json: 1 }, { id: NOBODY }]);
      expect(uneven.json).toMatchObject({
        code: "PGRST102",
        message: "All object keys must match",
      });
    });

    test("TAB-14 what the columns cannot hold is refused with PostgreSQL's code", async () => {
      const { id } = await seed();
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
        const answer = await write(method, path, body);
        expect([path, body, answer.status, answer.json]).toMatchObject([
          path,
          body,
          status,
          { code },
        ]);
      }
      const unknown = await write("POST", "canvas_state", { canvas_json: {}, color: "red" });
      expect(unknown.json).toEqual({
        code: "PGRST204",
        details: null,
        hint: null,
        message: "Could not find the 'color' column of 'canvas_state' in the schema cache",
      });
    });

    test("TAB-15 what cannot be understood is refused with its code and touches nothing", async () => {
      await seed();
      const cases: readonly [string, RawRequest, number, string][] = [
        ["users", {}, 404, "PGRST205"],
        ["inkpool_keys", {}, 404, "PGRST205"],
        ["sqlite_master", {}, 404, "PGRST205"],
        ["__proto__", {}, 404, "PGRST205"],
        ["canvas_state/extra", {}, 404, "PGRST125"],
        ["", {}, 404, "PGRST125"],
        ["rpc/sleep", { method: "POST", body: "{}" }, 404, "PGRST202"],
        ["canvas_state", { method: "PUT", body: "{}" }, 405, "PGRST117"],
        ["canvas_state", { headers: { "accept-profile": "auth" } }, 406, "PGRST106"],
        ["canvas_state", { headers: { accept: "text/csv" } }, 406, "PGRST107"],
        ["canvas_state", { headers: { prefer: "handling=strict, foo=bar" } }, 400, "PGRST122"],
        ["canvas_state?select=nope", {}, 400, "42703"],
        ["canvas_state?select=__proto__", {}, 400, "42703"],
        ["canvas_state?select=id;drop", {}, 400, "PGRST100"],
        ["canvas_state?select=other(*)", {}, 400, "PGRST200"],
        ["canvas_state?select=id->>x", {}, 404, "42883"],
        ["canvas_state?order=nope", {}, 400, "42703"],
        ["canvas_state?order=canvas_json", {}, 404, "42883"],
        ["canvas_state?limit=-1", {}, 400, "PGRST100"],
        ["canvas_state?limit=1e3", {}, 400, "PGRST100"],
        ["canvas_state?id=abc", {}, 400, "PGRST100"],
        ["canvas_state?id=foo.abc", {}, 400, "PGRST100"],
        ["canvas_state?id=constructor.abc", {}, 400, "PGRST100"],
        ["canvas_state?nope=eq.1", {}, 400, "42703"],
        ["canvas_state?id=in.1,2", {}, 400, "PGRST100"],
        ["canvas_state?id=is.true", {}, 400, "42804"],
        ["canvas_state?id=like.a*", {}, 404, "42883"],
        ["canvas_state?canvas_json=eq.1", {}, 404, "42883"],
        ["canvas_state?or=(id.eq.1", {}, 400, "PGRST100"],
        [`canvas_state?or=${"(and".repeat(20)}`, {}, 400, "PGRST100"],
        [`canvas_state?${"id=is.null&".repeat(150)}`, {}, 400, "PGRST100"],
        ["canvas_state?canvas_json->>x=eq.%00", {}, 400, "22021"],
        ["canvas_state?id=eq.' or 1=1 --", {}, 400, "22P02"],
      ];
      for (const [path, request, status, code] of cases) {
        const answer = await call(path, request);
        expect([path, answer.status, answer.json]).toMatchObject([path, status, { code }]);
      }
      expect((await client.from("canvas_state").select("canvas_json").single()).data).toEqual({
        canvas_json: DRAWING,
      });
    });

    test("TAB-16 a body that is not RFC 8259 JSON in UTF-8 is refused with PGRST102", async () => {
      const bodies: readonly (string | Uint8Array)[] = [
        "",
        " ",
        "{",
        "nonsense",
        "{'canvas_json':1}",
        "{canvas_json:1}",
        '{"canvas_json":NaN}',
        '{"canvas_json":01}',
        '{"canvas_json":1,}',
        '{"canvas_json":1} x',
        '{"canvas_json":"a\u0000b"}',
        '{"canvas_json":1/*c*/}',
        '"text"',
        "1",
        "null",
        "[1]",
        '[{"canvas_json":1},"x"]',
        "\ufeff{}",
        '{"canvas_json":1,"canvas_json":2}',
        new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
        new Uint8Array([0x00, 0x01, 0x02]),
      ];
      for (const body of bodies) {
        const answer = await call("canvas_state", {
          method: "POST",
          body,
          headers: { "content-type": "application/json" },
        });
        expect([String(body), answer.status, answer.json]).toMatchObject([
          String(body),
          400,
          { code: "PGRST102" },
        ]);
      }
      const form = await call("canvas_state", {
        method: "POST",
        body: "canvas_json=1",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      expect([form.status, form.json]).toMatchObject([400, { code: "PGRST102" }]);
      expect((await client.from("canvas_state").select("id")).data).toEqual([]);
    });

    test("TAB-17 NUL and half surrogates are refused with 22P05, in every spelling, and their look-alikes are kept", async () => {
      const bad = ['"\\u0000"', '"a\\\\\\u0000"', '"\\ud83c"', '"\\uDFA8"', '"\\ud83c\\u0041"'];
      for (const json of bad) {
        const answer = await write("POST", "canvas_state", `{"canvas_json":${json}}`);
        expect([json, answer.status, answer.json]).toMatchObject([json, 400, { code: "22P05" }]);
      }
      const good = { objects: ["\\u0000", "🎨", "\\ud83c", "\\\\u0000"] };
      const text = JSON.stringify(good).replace("🎨", "\\ud83c\\udfa8");
      expect((await write("POST", "canvas_state", `{"canvas_json":${text}}`)).status).toBe(201);
      expect((await client.from("canvas_state").select("canvas_json").single()).data).toEqual({
        canvas_json: good,
      });
    });

    test("TAB-18 deep nesting neither crashes nor is half stored", async () => {
      for (const depth of [2000, 1_000_000]) {
        const body = `{"canvas_json":${"[".repeat(depth)}${"]".repeat(depth)}}`;
        const answer = await write("POST", "canvas_state", body);
        expect([depth, answer.status]).toEqual([
          depth,
          depth === 2000 && kind === "PostgreSQL" ? 201 : 400,
        ]);
        await owner.from("canvas_state").delete().neq("id", NOBODY);
      }
      expect((await client.from("canvas_state").select("id")).error).toBeNull();
    });

    test("TAB-18 __proto__ and the like are plain keys inside a drawing, and unknown columns outside", async () => {
      const drawing = '{"__proto__":{"polluted":true},"constructor":1,"objects":[]}';
      const outside = await write("POST", "canvas_state", '{"__proto__":1,"canvas_json":{}}');
      expect(outside.json).toMatchObject({ code: "PGRST204" });
      expect((await write("POST", "canvas_state", `{"canvas_json":${drawing}}`)).status).toBe(201);
      expect((await call("canvas_state?select=canvas_json")).text).toBe(
        `[{"canvas_json":${drawing}}]`,
      );
      expect((await call("canvas_state?select=canvas_json->__proto__->>polluted")).json).toEqual([
        { polluted: "true" },
      ]);
    });

    test("TAB-19 a body over 11534336 bytes is refused with 413, announced or not", async () => {
      const body = `{"canvas_json":"${"x".repeat(11 * 1024 * 1024)}"}`;
      const announced = await write("POST", "canvas_state", body);
      expect([announced.status, announced.json]).toMatchObject([413, { code: "PGRST413" }]);
      const chunks = new ReadableStream({
        start(controller) {
          for (let sent = 0; sent < 16; sent++)
            controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
          controller.close();
        },
      });
      const streamed = await fetch(`${server.url}/rest/v1/canvas_state`, {
        method: "POST",
        headers: { apikey: server.anonKey, "content-type": "application/json" },
        body: chunks,
        duplex: "half",
      } as RequestInit).then(
        ({ status }) => status,
        () => "cut off",
      );
      expect([413, "cut off"]).toContain(streamed);
      expect((await client.from("canvas_state").select("id")).data).toEqual([]);
    });

    test("TAB-20 a save that was acknowledged is there after kill -9", async () => {
      const { id } = await seed();
      const drawing = { objects: [{ type: "Path", note: "x".repeat(100_000) }] };
      const { error } = await client
        .from("canvas_state")
        .update({ canvas_json: drawing })
        .eq("id", id);
      expect(error).toBeNull();
      const { dataDir } = server;
      await server.kill();
      server = await startServer({ dataDir, env });
      client = connect(server, server.anonKey);
      owner = connect(server, server.serviceKey);
      const { data } = await client.from("canvas_state").select("id,canvas_json").single();
      expect(data).toEqual({ id, canvas_json: drawing });
    });
  });
}

function connect(server: TestServer, key: string): SupabaseClient {
  return createClient(server.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as never },
  });
}

import { expect, test } from "vitest";
import { DRAWING, UNKNOWN_ID, examineTableApi } from "../../testing/servers/table-api.ts";
import type { RawRequest } from "../../testing/servers/table-client.ts";

await examineTableApi("refusals", (api) => {
  test("TAB-15 an invalid request is refused with its code and touches nothing", async () => {
    await api.seed();
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
      const answer = await api.call(path, request);
      expect([path, answer.status, answer.json]).toMatchObject([path, status, { code }]);
    }
    expect((await api.client.from("canvas_state").select("canvas_json").single()).data).toEqual({
      canvas_json: DRAWING,
    });
  });

  test("TAB-31 an unavailable relation, function or aggregate is refused in PostgREST's words", async () => {
    const answer = async (path: string, request: RawRequest = {}): Promise<unknown> =>
      (await api.call(path, request)).json;
    const relation = {
      code: "PGRST200",
      hint: null,
      message:
        "Could not find a relationship between 'canvas_state' and 'other' in the schema cache",
    };
    const searched = "Searched for a foreign key relationship between 'canvas_state' and 'other'";
    expect(await answer("canvas_state?select=id,other!inner(*)")).toEqual({
      ...relation,
      details: `${searched} in the schema 'public', but no matches were found.`,
    });
    expect(await answer("canvas_state?select=a:other!fk(*)")).toEqual({
      ...relation,
      details: `${searched} using the hint 'fk' in the schema 'public', but no matches were found.`,
    });
    const missing = (call: string, details: string): object => ({
      code: "PGRST202",
      hint: null,
      message: `Could not find the function public.f${call} in the schema cache`,
      details: `Searched for the function public.f${details}, but no matches were found in the schema cache.`,
    });
    const unnamed = " or with a single unnamed json/jsonb parameter";
    const post = (body: string): RawRequest => ({ method: "POST", body });
    expect(await answer("rpc/f", post('{"b":1,"a":2}'))).toEqual(
      missing("(a, b)", ` with parameters a, b${unnamed}`),
    );
    expect(await answer("rpc/f", post("{}"))).toEqual(
      missing(" without parameters", ` without parameters${unnamed}`),
    );
    expect(await answer("rpc/f?a=1")).toEqual(missing("(a)", " with parameter a"));
    const aggregate = {
      code: "PGRST123",
      details: null,
      hint: null,
      message: "Use of aggregate functions is not allowed",
    };
    for (const select of ["count()", "n:version.sum()", "canvas_json->x::int.max()::text"])
      expect(await answer(`canvas_state?select=${select}`)).toEqual(aggregate);
    for (const query of ["other.id=eq.1", "other.order=id", "order=other(id).desc"])
      expect(await answer(`canvas_state?${query}`)).toEqual({
        code: "PGRST108",
        details: null,
        hint: "Verify that 'other' is included in the 'select' query parameter.",
        message: "'other' is not an embedded resource in this request",
      });
  });

  test("TAB-30 with .stripNulls() no member of the answer is null, at any depth", async () => {
    const rect = { type: "Rect", fill: null, left: 1 };
    await api.seed({ objects: [rect, null], background: null });
    const objects = [{ type: "Rect", left: 1 }, null];
    const table = api.client.from("canvas_state");
    const selected = "canvas_json,nothing:canvas_json->nothing";
    expect((await table.select(selected).stripNulls()).data).toEqual([
      { canvas_json: { objects } },
    ]);
    const one = await table.select(selected).single().stripNulls();
    expect(one.data).toEqual({ canvas_json: { objects } });
    const { headers } = await api.call("canvas_state", {
      headers: { accept: "application/vnd.pgrst.array+json;nulls=stripped" },
    });
    expect(headers.get("content-type")).toBe(
      "application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8",
    );
    expect((await table.select("nothing:canvas_json->nothing").stripNulls()).data).toEqual([{}]);
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
      '{"canvas_json":1}\u0000',
      '{"canvas_json":1}\u0000 anything } [',
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
      const answer = await api.call("canvas_state", {
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
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/jsonp"]) {
      const answer = await api.call("canvas_state", {
        method: "POST",
        body: '{"canvas_json":1}',
        headers: { "content-type": type },
      });
      expect([type, answer.status, answer.json]).toMatchObject([type, 400, { code: "PGRST102" }]);
    }
    expect((await api.client.from("canvas_state").select("id")).data).toEqual([]);
  });

  test("TAB-16 an update with several objects is refused, and the row stays", async () => {
    const { id } = await api.seed();
    const many = await api.write("PATCH", `canvas_state?id=eq.${id}`, [
      { canvas_json: 1 },
      { canvas_json: 2 },
    ]);
    expect([many.status, many.json]).toMatchObject([
      400,
      { code: "PGRST102", message: "An update takes one object" },
    ]);
    const { data } = await api.client.from("canvas_state").select("canvas_json").single();
    expect(data).toEqual({ canvas_json: DRAWING });
  });

  test("TAB-16 NUL and half surrogates are refused with 22P05, in every spelling, and their look-alikes are kept", async () => {
    const bad = ['"\\u0000"', '"a\\\\\\u0000"', '"\\ud83c"', '"\\uDFA8"', '"\\ud83c\\u0041"'];
    for (const json of bad) {
      const answer = await api.write("POST", "canvas_state", `{"canvas_json":${json}}`);
      expect([json, answer.status, answer.json]).toMatchObject([json, 400, { code: "22P05" }]);
    }
    const good = { objects: ["\\u0000", "🎨", "\\ud83c", "\\\\u0000"] };
    const text = JSON.stringify(good).replace("🎨", "\\ud83c\\udfa8");
    expect((await api.write("POST", "canvas_state", `{"canvas_json":${text}}`)).status).toBe(201);
    expect((await api.client.from("canvas_state").select("canvas_json").single()).data).toEqual({
      canvas_json: good,
    });
  });

  test("TAB-16 deep nesting neither crashes nor is half stored", async () => {
    for (const depth of [2000, 1_000_000]) {
      const body = `{"canvas_json":${"[".repeat(depth)}${"]".repeat(depth)}}`;
      const answer = await api.write("POST", "canvas_state", body);
      expect([depth, answer.status]).toEqual([
        depth,
        depth === 2000 && api.kind === "PostgreSQL" ? 201 : 400,
      ]);
      await api.owner.from("canvas_state").delete().neq("id", UNKNOWN_ID);
    }
    expect((await api.client.from("canvas_state").select("id")).error).toBeNull();
  });

  test("TAB-16 __proto__ and the like are plain keys inside a drawing, and unknown columns outside", async () => {
    const drawing = '{"__proto__":{"polluted":true},"constructor":1,"objects":[]}';
    const outside = await api.write("POST", "canvas_state", '{"__proto__":1,"canvas_json":{}}');
    expect(outside.json).toMatchObject({ code: "PGRST204" });
    expect((await api.write("POST", "canvas_state", `{"canvas_json":${drawing}}`)).status).toBe(
      201,
    );
    expect((await api.call("canvas_state?select=canvas_json")).text).toBe(
      `[{"canvas_json":${drawing}}]`,
    );
    expect((await api.call("canvas_state?select=canvas_json->__proto__->>polluted")).json).toEqual([
      { polluted: "true" },
    ]);
  });
});

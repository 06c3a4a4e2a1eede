import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { DRAWING, UNKNOWN_ID, examineTableApi } from "../../testing/servers/table-api.ts";
import type { TestServer } from "../../testing/servers/server.ts";
import type { RawRequest } from "../../testing/servers/table-client.ts";

const MB = 1024 * 1024;

await examineTableApi("what it refuses", (api) => {
  test("TAB-15 what cannot be understood is refused with its code and touches nothing", async () => {
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

  test("TAB-31 what is no relation, function or aggregate here is refused in PostgREST's words", async () => {
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

  test("TAB-19 a body over 16777216 bytes is refused with 413, announced or not", async () => {
    const body = `{"canvas_json":"${"x".repeat(16 * MB)}"}`;
    const announced = await api.write("POST", "canvas_state", body);
    expect([announced.status, announced.json]).toMatchObject([413, { code: "PGRST413" }]);
    expect(await postInPieces(api.server, megabytes(17))).toBe(413);
    expect((await api.client.from("canvas_state").select("id")).data).toEqual([]);
  });

  test("TAB-19 a body of 11 to 16 MB is a drawing over the limit, announced or not", async () => {
    const { id } = await api.seed();
    const large = `{"canvas_json":"${"x".repeat(16 * MB - 100)}"}`;
    for (const [method, path] of [
      ["POST", "canvas_state"],
      ["PATCH", `canvas_state?id=eq.${id}`],
    ] as const) {
      const answer = await api.write(method, path, large);
      expect([answer.status, answer.json]).toEqual([
        400,
        {
          code: "23514",
          details: "Failing row contains (...).",
          hint: null,
          message:
            'new row for relation "canvas_state" violates check constraint "canvas_json_size_check"',
        },
      ]);
    }
    expect(await postInPieces(api.server, megabytes(12))).toBe(400);
    const elsewhere = await api.write("PATCH", "canvas_history?id=eq.1", large);
    expect([elsewhere.status, elsewhere.json]).toMatchObject([413, { code: "PGRST413" }]);
    const { data } = await api.client.from("canvas_state").select("canvas_json").single();
    expect(data).toEqual({ canvas_json: DRAWING });
  });

  test("TAB-12 a list whose objects times its bytes are over 33554432 is refused with 54001", async () => {
    const list = (objects: number, bytes: number): string => {
      const one = JSON.stringify({ canvas_json: "" });
      const text = JSON.stringify(Array.from({ length: objects }, () => JSON.parse(one)));
      return text.replace('""', `"${"x".repeat(bytes - text.length)}"`);
    };
    for (const objects of [2, 4, 100]) {
      const max = Math.min(11 * MB, Math.floor((32 * MB) / objects));
      const taken = await api.write("POST", "canvas_state", list(objects, max));
      const code = taken.json as { code: string };
      // The first drawing is too large, or the table accepts only one row.
      expect([objects, ["23505", "23514"].includes(code.code)]).toEqual([objects, true]);
      if (objects === 2) continue;
      const refused = await api.write("POST", "canvas_state", list(objects, max + 1));
      expect([objects, refused.status, refused.json]).toMatchObject([
        objects,
        400,
        { code: "54001", details: `a list of ${objects} objects may have ${max} bytes` },
      ]);
    }
  });

  test("TAB-24 a body in pieces without its length is stored byte for byte, and one that is cut off changes nothing", async () => {
    const drawing = `{"objects":["${"é🎨".repeat(40_000)}"]}`;
    const bytes = Buffer.from(`{"canvas_json":${drawing}}`);
    let at = 0;
    const odd = new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(new Uint8Array(bytes.subarray(at, (at += 7_001))));
      },
    });
    expect(await postInPieces(api.server, odd)).toBe(201);
    await cutOff(api.server, bytes.length);
    expect((await api.call("canvas_state?select=canvas_json")).text).toBe(
      `[{"canvas_json":${drawing}}]`,
    );
  });

  test("TAB-24 large bodies side by side, one of them cut off, do not mix", async () => {
    const { id } = await api.seed();
    const save = async (n: number): Promise<boolean> => {
      const body = `{"canvas_json":{"objects":["${"0123456789"[n % 10]!.repeat(1_100_000 + n)}"]}}`;
      const path = `canvas_state?id=eq.${id}&select=canvas_json`;
      const answer = await api.write("PATCH", path, JSON.parse(body), "return=representation");
      return answer.text === `[${body}]`;
    };
    for (let n = 0; n < 12; n += 3)
      expect(
        await Promise.all([save(n), save(n + 1), save(n + 2), cutOff(api.server, 1_100_000)]),
      ).toEqual([true, true, true, undefined]);
  });
});

function megabytes(count: number): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < count; sent++) controller.enqueue(new Uint8Array(MB).fill(0x20));
      controller.close();
    },
  });
}

/** Posts a body without its length; returns the status. */
async function postInPieces({ url, anonKey }: TestServer, body: ReadableStream): Promise<number> {
  const { status } = await fetch(`${url}/rest/v1/canvas_state`, {
    method: "POST",
    headers: { apikey: anonKey, "content-type": "application/json" },
    body,
    duplex: "half",
  } as RequestInit);
  return status;
}

/** Announces a body of `length` bytes, sends a whole JSON object and some of the rest, and hangs up. */
async function cutOff({ port, anonKey }: TestServer, length: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const head = `PATCH /rest/v1/canvas_state?id=neq.${UNKNOWN_ID} HTTP/1.1\r\nHost: x\r\napikey: ${anonKey}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`);
  socket.write(`{"canvas_json":{}}${" ".repeat(length - 100)}`);
  socket.end();
  socket.resume();
  await once(socket, "close");
}

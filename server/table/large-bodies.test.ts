import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { DRAWING, UNKNOWN_ID, examineTableApi } from "../../testing/servers/table-api.ts";
import type { ServerAddress } from "../../testing/servers/in-process.ts";

const MB = 1024 * 1024;

function megabytes(count: number): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < count; sent++) controller.enqueue(new Uint8Array(MB).fill(0x20));
      controller.close();
    },
  });
}

/** The status of a POST whose body comes without its length. */
async function postInPieces(
  { url, anonKey }: ServerAddress,
  body: ReadableStream,
): Promise<number> {
  const { status } = await fetch(`${url}/rest/v1/canvas_state`, {
    method: "POST",
    headers: { apikey: anonKey, "content-type": "application/json" },
    body,
    duplex: "half",
  } as RequestInit);
  return status;
}

/** Announces a body of `length` bytes, sends a whole JSON object and some of the rest, and hangs up. */
async function cutOff({ port, anonKey }: ServerAddress, length: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const head = `PATCH /rest/v1/canvas_state?id=neq.${UNKNOWN_ID} HTTP/1.1\r\nHost: x\r\napikey: ${anonKey}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`);
  socket.write(`{"canvas_json":{}}${" ".repeat(length - 100)}`);
  socket.end();
  socket.resume();
  await once(socket, "close");
}

await examineTableApi("large bodies", (api) => {
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
    for (const objects of [2, 16, 100]) {
      const max = Math.min(11 * MB, Math.floor((32 * MB) / objects));
      const taken = await api.write("POST", "canvas_state", list(objects, max));
      const code = taken.json as { code: string };
      // The first drawing is too large, or the table takes one row only.
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

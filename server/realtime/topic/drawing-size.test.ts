import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { openNewcomers } from "../../access/newcomers.ts";
import { mayAdd } from "./drawing-guard.ts";
import { measureDrawing } from "./drawing-size.ts";

const bytesOf = (value: unknown): Buffer =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const objects = (count: number, one = "{}"): string =>
  Array.from({ length: count }, () => one).join();

function countOf(value: any): number {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return 0;
  const inner = [
    value.objects,
    value.clipPath,
    value.path,
    value.fill,
    value.stroke,
    value.shadow,
  ].flat();
  return inner.reduce((count, one) => count + countOf(one), 1);
}

/** Returns what pages read, by JSON.parse. */
function reference(payload: Buffer): object {
  const { json } = JSON.parse(String(payload)) as { json: unknown };
  const drawing = (typeof json === "string" ? JSON.parse(json) : json) as any;
  return {
    objects: drawing.objects.map((object: any) => ({
      id: typeof object?.id === "string" ? object.id : null,
      bytes: Buffer.byteLength(JSON.stringify(object)),
      count: Math.max(1, countOf(object)),
    })),
    bytes: Math.max(0, payload.length - 256),
    isForeign: drawing.inkpool === undefined,
  };
}

test("HOST-52 a drawing is measured as pages read it, as an object and as a text", () => {
  const id = fc.oneof(fc.string(), fc.constantFrom('"', "\\", "é😀", "\n"), fc.nat());
  const object = fc.oneof(
    fc.record({ id, type: fc.string(), path: fc.jsonValue() }),
    fc.record({ path: fc.jsonValue(), deep: fc.record({ id }) }),
    fc.constantFrom(null, 1, "id", [], ["id", 1], {}),
  );
  const inkpool = fc.record({
    seen: fc.constant({}),
    partial: fc.constantFrom(true, false, "true"),
  });
  const drawing = fc.record(
    { version: fc.string(), objects: fc.array(object), inkpool },
    { requiredKeys: ["objects"] },
  );
  const check = (json: unknown): void => {
    for (const given of [json, JSON.stringify(json)]) {
      const payload = bytesOf({ clientId: "c", json: given });
      expect(measureDrawing(payload)).toEqual(reference(payload));
    }
  };
  fc.assert(fc.property(drawing, check), { numRuns: 500, seed: 20_260_101 });
});

test("HOST-52 an object counts with those inside of it, also where their names are escaped", () => {
  const count = (object: string): unknown =>
    measureDrawing(bytesOf(`{"json":{"objects":[${object}]}}`))?.objects[0]?.count;
  const rect = '{"type":"Rect","points":[{"x":1}],"path":[["M",0,0]]}';
  for (const name of ["objects", "\\u006fbjects", "obje\\u0063ts"])
    expect(count(`{"type":"Group","${name}":[${rect},{"objects":[${rect}]},${rect}]}`)).toBe(5);
  expect(count(`{"clipPath":${rect},"path":{"clipPath":${rect}}}`)).toBe(4);
  const paints = '"fill":{"type":"linear"},"stroke":"red","shadow":{"type":"shadow"}';
  expect(count(`{"type":"Rect",${paints}}`)).toBe(3);
  expect(count("5")).toBe(1);
});

test("HOST-52 an object whose id is named twice or by an escape has the last one, as pages read it", () => {
  const idIn = (object: string): unknown =>
    measureDrawing(bytesOf(`{"json":{"objects":[${object}]}}`))?.objects[0]?.id;
  expect(idIn('{"id":"a","id":"b"}')).toBe("b");
  for (const name of ["\\u0069d", "i\\u0064", "\\u0069\\u0064"])
    expect(idIn(`{"id":"a","${name}":"b"}`)).toBe("b");
});

test.each([
  ["more objects than a board has", `{"json":{"objects":[${objects(100_001)}]}}`],
  ["no drawing", '{"json":{"objects":5}}'],
  ["no text of a drawing", '{"json":"x"}'],
  ["an object nested deeply", `{"json":{"objects":[${deep()}]}}`],
  ["an object nested deeply in a text", JSON.stringify({ json: `{"objects":[${deep()}]}` })],
  ["no JSON", '{"json":{"objects":[{]}}'],
  ["no message", "5"],
  ["members that hide the drawing", `{${many()},"json":{"objects":[]}}`],
])("HOST-52 a canvas-update with %s cannot be measured", (_what, payload) => {
  expect(measureDrawing(bytesOf(payload))).toBe(null);
});

function deep(): string {
  return "[".repeat(20_000) + "]".repeat(20_000);
}

function many(): string {
  return Array.from({ length: 128 }, (_, n) => `"m${n}":0`).join();
}

test("HOST-52 drawings of any shape are measured without values made of them; one that cannot be passes for a host alone", async () => {
  const newcomers = await openNewcomers({
    limits: { objects: 10, bytes: 0 },
    database: {
      dialect: "sqlite",
      longReads: { query: () => Promise.reject(new Error("unavailable")) },
      rowChanges: { watch: () => Promise.resolve({ stop: () => {} }) },
    } as never,
    access: { roleOf: (claims) => ((claims as { host?: true }).host ? "host" : null) },
    clock: () => 0,
  });
  const send = (payload: string, claims: object = {}): boolean =>
    mayAdd(
      newcomers,
      { client: "c", claims: claims as never },
      {
        event: "canvas-update",
        encoding: 1,
        checked: true,
        payload: bytesOf(payload),
      },
    );
  const spies = [vi.spyOn(JSON, "parse"), vi.spyOn(JSON, "stringify")];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  const tooMany = `{"json":{"objects":[${objects(200_000)}]}}`;
  expect(send(tooMany)).toBe(false);
  expect(send(tooMany, { host: true })).toBe(true);
  expect(send(`{"json":{"objects":[${objects(11)}]}}`)).toBe(false);
  expect(send(`{"json":{"objects":[{"a":[${objects(200_000)}]}]}}`)).toBe(true);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});

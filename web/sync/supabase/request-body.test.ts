import { describe, expect, test, vi } from "vitest";
import { LIMITS } from "../../../board/constants.ts";
import { createBodySubstitution } from "./request-body.ts";

describe("body substitution", () => {
  const text = { pieces: ['{"objects":[', '"é"]}'], bytes: 18 };
  const respond = async (): Promise<Response> => new Response(null, { status: 204 });

  test("SAV-15 a drawing goes out as the text that it is, however large", async () => {
    const sent: string[] = [];
    const blobs: boolean[] = [];
    const bodies = createBodySubstitution(async (_input, init) => {
      blobs.push(init?.body instanceof Blob);
      sent.push(await new Response(init?.body as BodyInit).text());
      return respond();
    });
    const large = { pieces: [`"${"x".repeat(400_000)}"`], bytes: 400_002 };
    let last = "";
    for (const drawing of [text, large]) {
      const placeholder = bodies.enter(drawing);
      await bodies.fetch("http://x", {
        method: "PATCH",
        body: JSON.stringify({ canvas_json: placeholder, a: 1 }),
      });
      bodies.leave(placeholder);
      last = JSON.stringify({ canvas_json: placeholder });
    }
    expect(sent).toEqual([
      `{"canvas_json":{"objects":["é"]},"a":1}`,
      `{"canvas_json":${large.pieces[0]},"a":1}`,
    ]);
    // The pieces of a large one need not be joined.
    expect(blobs).toEqual([false, true]);
    await bodies.fetch("http://x", { method: "POST", body: last });
    expect(sent.at(-1)).toBe(last);
  });

  test("IMG-13 the source of a picture is copied for the first large drawing that has it, and not for the next", async () => {
    const copied: string[] = [];
    let blobs = 0;
    class CountedBlob extends Blob {
      constructor(parts: readonly (Blob | string)[]) {
        super([...parts]);
        blobs += 1;
        for (const part of parts)
          if (typeof part === "string" && part.startsWith("data:")) copied.push(part);
      }
    }
    vi.stubGlobal("Blob", CountedBlob);
    const sent: string[] = [];
    const bodies = createBodySubstitution(async (_input, init) => {
      sent.push(await new Response(init?.body as BodyInit).text());
      return respond();
    });
    const [one, two] = ["a", "b"].map((letter) => `data:${letter.repeat(300_000)}`);
    const send = async (...sources: (string | undefined)[]): Promise<void> => {
      const pieces = sources.flatMap((source = "") => ['{"src":"', source, '"}']);
      const placeholder = bodies.enter({ pieces, bytes: pieces.join("").length });
      await bodies.fetch("http://x", { method: "PATCH", body: JSON.stringify({ placeholder }) });
      bodies.leave(placeholder);
      expect(sent.at(-1)).toBe(`{"placeholder":${pieces.join("")}}`);
    };
    await send(one);
    expect(copied).toEqual([one]);
    await send(one, two, one);
    expect(copied).toEqual([one, two]);
    // What the drawing no longer has is not kept.
    await send(two);
    await send(one);
    expect(copied).toEqual([one, two, one]);
    // A hostile drawing may have thousands of short ones, of which a Blob each would take seconds.
    blobs = 0;
    await send(...Array.from({ length: 8_000 }, (_, at) => `data:${String(at).padStart(60)}`));
    expect(blobs).toBe(1);
  });

  test("SAV-18 an unloading page sends up to 60,000 bytes itself and posts more to the service worker, if there is one", async () => {
    const sent: (boolean | undefined)[] = [];
    const posted: number[] = [];
    const worker = {
      isReady: false,
      send: ({ body }: { body: string }) => void posted.push(body.length),
    };
    const bodies = createBodySubstitution(async (_input, init) => {
      sent.push(init?.keepalive);
      return respond();
    }, worker);
    expect(bodies.unloadLimit).toBe(60_000);
    const unload = (bytes: number): Promise<Response> => {
      const placeholder = bodies.enter({ pieces: [`"${"x".repeat(bytes - 2)}"`], bytes });
      return bodies.unloadFetch("http://x", {
        method: "PATCH",
        body: JSON.stringify({ canvas_json: placeholder }),
      });
    };
    await unload(50_000);
    expect([sent, posted]).toEqual([[true], []]);
    worker.isReady = true;
    expect(bodies.unloadLimit).toBe(LIMITS.canvasBytes);
    await unload(50_000);
    await unload(300_000);
    expect([sent, posted]).toEqual([[true, true], [300_016]]);
  });

  test("SAV-15 large drawings that are loaded side by side are kept apart", async () => {
    const drawing = (name: string): string => `{"objects":["${name.repeat(70_000)}"]}`;
    const bodies = createBodySubstitution(
      async (input) => new Response(`[{"id":1,"canvas_json":${drawing(input as string)}}]`),
    );
    const read = async (name: string): Promise<unknown> => {
      const rows: unknown = await (await bodies.fetch(name)).json();
      return (rows as { canvas_json: unknown }[])[0]?.canvas_json;
    };
    const [a, b] = await Promise.all([read("a"), read("b")]);
    expect([bodies.drawingOf(a) === drawing("a"), bodies.drawingOf(b) === drawing("b")]).toEqual([
      true,
      true,
    ]);
    // Each is given out once, and what is no placeholder stays what it is.
    expect([bodies.drawingOf(a), bodies.drawingOf("received"), bodies.drawingOf(7)]).toEqual([
      a,
      "received",
      7,
    ]);
  });
});

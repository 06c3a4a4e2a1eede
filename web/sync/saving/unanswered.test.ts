import { describe, expect, test } from "vitest";
import { replaceRow } from "../../../testing/network/backend.ts";
import { createTestBed, stroke, type TestBed, type Visit } from "../../../testing/sync/test-bed.ts";
import type { Backend, Fault } from "../environment/backend.ts";

const NO_ANSWER: Fault = { kind: "network", message: "no answer" };

/** Ann, whose saves get no answer, and Ben, who has saved a stroke. */
async function meet(save: "lost" | "written") {
  const bed = createTestBed();
  const openBackend = (): Backend => {
    const backend = bed.backend.open("ann");
    return {
      ...backend,
      async update(...request) {
        if (save === "written") await backend.update(...request);
        return { ok: false, fault: NO_ANSWER };
      },
    };
  };
  const ann = bed.visit("ann", undefined, { openBackend });
  const ben = bed.visit("ben");
  await bed.clock.advance(1000);
  ben.client.editor.add([stroke(9)]);
  await bed.clock.advance(20_000);
  return { bed, ann, ben };
}

/** Ann draws while no channel is joined, and her page saves. Returns the id of the stroke. */
async function drawUnheard(bed: TestBed, ann: Visit): Promise<string> {
  bed.backend.evict("ann");
  const [own] = ann.client.editor.add([stroke(5)]);
  ann.page("hidden");
  await bed.clock.advance(100);
  return own!.id;
}

interface Written {
  readonly objects: readonly { readonly id: string }[];
  readonly inkpool: { readonly seen: Record<string, unknown> };
}

/** Somebody writes the row again, with the claim to have removed this object. */
function removeFromRow({ backend, clock }: TestBed, id: string): void {
  const row = backend.row!;
  const drawing = JSON.parse(row.text) as Written;
  const dash = id.lastIndexOf("-");
  const context = { ...drawing.inkpool.seen, [id.slice(0, dash)]: Number(id.slice(dash + 1)) };
  const objects = drawing.objects.filter((object) => object.id !== id);
  const text = JSON.stringify({
    ...drawing,
    objects,
    inkpool: { ...drawing.inkpool, seen: context },
  });
  replaceRow(backend, { id: row.id, updatedAt: new Date(clock.now()).toISOString(), text });
}

const lefts = ({ client }: Visit): unknown[] => client.objects().map(({ left }) => left);

describe("a save without an answer", () => {
  test("SAV-60 a stroke that was in no message and no row, only in a lost save, is not removed by a writer who guesses its id", async () => {
    const { bed, ann } = await meet("lost");
    const id = await drawUnheard(bed, ann);
    removeFromRow(bed, id);
    ann.page("visible");
    await bed.clock.advance(300);
    expect(lefts(ann)).toEqual([9, 5]);
  });

  test("SAV-60 nor after a save that was refused", async () => {
    const bed = createTestBed();
    const ann = bed.visit("ann");
    const ben = bed.visit("ben");
    await bed.clock.advance(1000);
    ben.client.editor.add([stroke(9)]);
    await bed.clock.advance(20_000);
    bed.backend.refuse = { kind: "refused", message: "not now" };
    const id = await drawUnheard(bed, ann);
    bed.backend.refuse = null;
    removeFromRow(bed, id);
    ann.page("visible");
    await bed.clock.advance(300);
    expect(lefts(ann)).toEqual([9, 5]);
    await bed.clock.advance(60_000);
    expect(lefts(ben)).toEqual([9, 5]);
  });

  test("SAV-60 nor a stroke drawn during a successful save that does not contain it", async () => {
    const bed = createTestBed();
    let drawMeanwhile = (): void => undefined;
    const openBackend = (): Backend => {
      const backend = bed.backend.open("ann");
      const findId: Backend["findId"] = () => {
        drawMeanwhile();
        return backend.findId();
      };
      return { ...backend, findId };
    };
    const ann = bed.visit("ann", undefined, { openBackend });
    const ben = bed.visit("ben");
    await bed.clock.advance(1000);
    ben.client.editor.add([stroke(9)]);
    await bed.clock.advance(20_000);
    const meanwhile: string[] = [];
    drawMeanwhile = () => {
      drawMeanwhile = () => undefined;
      meanwhile.push(...ann.client.editor.add([stroke(6)]).map(({ id }) => id));
    };
    const saved = await drawUnheard(bed, ann);
    expect(bed.backend.row?.text).toContain(saved);
    expect(bed.backend.row?.text).not.toContain(meanwhile[0]);
    removeFromRow(bed, meanwhile[0] ?? "");
    ann.page("visible");
    await bed.clock.advance(300);
    expect(lefts(ann)).toEqual([9, 5, 6]);
  });

  test("SAV-60 anybody may remove a stroke that an unanswered save wrote, though a later save hides that it was written", async () => {
    const { bed, ann } = await meet("written");
    const id = await drawUnheard(bed, ann);
    expect(bed.backend.row?.text).toContain(id);
    removeFromRow(bed, id);
    ann.page("visible");
    await bed.clock.advance(300);
    expect(lefts(ann)).toEqual([9]);
  });
});

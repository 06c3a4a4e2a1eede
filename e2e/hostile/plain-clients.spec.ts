/** Tests a plain client: Fabric and the client library, whole drawings, and none of the page's own fields. */

import { fileURLToPath } from "node:url";
import type { Browser, Page } from "@playwright/test";
import { EVENTS } from "../../board/messages.ts";
import { expect, test as base } from "../fixtures.ts";
import { switchTabs, type Person } from "../person.ts";
import { holdRequests, holdSaves } from "../traffic.ts";
import { openAttacker, type Attacker } from "./attacker.ts";
import { drawLines, EMPTY, expectLines, expectReadable, objectsOf, sendMark } from "./lines.ts";

const FABRIC = fileURLToPath(
  new URL("../../node_modules/fabric/dist/index.min.js", import.meta.url),
);

/** An object as Fabric shows and writes it. */
type PlainObject = { readonly type: string } & Record<string, unknown>;

interface PlainDrawing {
  readonly objects: readonly PlainObject[];
}

interface PlainClient {
  /** Opens a drawing with Fabric 7, lets `change` change its objects, and broadcasts what Fabric writes. */
  send(drawing: object, change?: (objects: PlainObject[]) => PlainObject[]): Promise<PlainDrawing>;
  /** The newest drawing that a visitor has broadcast. */
  readonly newest: object;
  readonly wire: Attacker;
}

const test = base.extend<{ plain: PlainClient }>({
  plain: async ({ product, browser }, use) => {
    const wire = await openAttacker(product);
    const page = await openFabric(browser);
    await use({
      wire,
      get newest() {
        return wire.received.findLast(({ json }) => json !== undefined)?.["json"] as object;
      },
      async send(drawing, change = (objects) => objects) {
        const read = await throughFabric(page, drawing);
        const json = await throughFabric(page, { ...read, objects: change([...read.objects]) });
        await wire.send(EVENTS.update, { json, clientId: "plainclient0" });
        return json;
      },
    });
    await wire.leave();
    await page.close();
  },
});

async function openFabric(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.setContent('<canvas id="plain"></canvas>');
  await page.addScriptTag({ path: FABRIC });
  return page;
}

/** Returns what Fabric writes of a drawing that it reads: everything that it does not know is lost. */
function throughFabric(page: Page, drawing: object): Promise<PlainDrawing> {
  return page.evaluate(async (json) => {
    interface Canvas {
      loadFromJSON(json: object): Promise<unknown>;
      toJSON(): unknown;
      dispose(): Promise<boolean>;
    }
    const { fabric } = window as unknown as {
      fabric: { StaticCanvas: new (id: string) => Canvas };
    };
    const canvas = new fabric.StaticCanvas("plain");
    await canvas.loadFromJSON(json);
    const written = JSON.parse(JSON.stringify(canvas.toJSON())) as { objects: never[] };
    await canvas.dispose();
    return written;
  }, drawing);
}

function square(left: number, top: number, fill: string): PlainObject {
  const box = { originX: "left", originY: "top", left, top, width: 40, height: 40 };
  return { type: "Rect", ...box, strokeWidth: 0, fill };
}

const expectColor = (person: Person, x: number, y: number, color: string) =>
  expect.poll(() => person.colorAt([x, y])).toBe(color);

test("MRG-13 before anybody saves, a second drawing of a plain client moves and removes objects of its first one, and its copy of an unsaved stroke is that stroke, and is not doubled", async ({
  visit,
  plain,
  product,
}) => {
  const saves: (() => void)[] = [];
  const prepare = async (page: Page): Promise<void> => void saves.push(await holdSaves(page));
  const [ann, ben] = [await visit({ prepare }), await visit({ prepare })];
  const first = await plain.send({
    ...EMPTY,
    objects: [square(200, 100, "#ff0000"), square(300, 100, "#0000ff")],
  });
  await expectColor(ann, 220, 120, "#ff0000");
  await expectColor(ann, 320, 120, "#0000ff");
  const second = await plain.send(first, ([red]) => [
    { ...(red as PlainObject), left: 500, top: 300 },
    square(600, 100, "#00ff00"),
  ]);
  await expectColor(ann, 520, 320, "#ff0000");
  await expectColor(ann, 620, 120, "#00ff00");
  await expectColor(ann, 220, 120, "#ffffff");
  await expectColor(ann, 320, 120, "#ffffff");

  await drawLines(ann, [150]);
  await expect.poll(() => JSON.stringify(plain.newest)).toContain('"Path"');
  expect(await product.row()).toBeNull();
  const rects = second.objects;
  const sent = await plain.send(plain.newest, (objects) => [
    ...objects.filter(({ type }) => type === "Path"),
    ...rects,
    square(600, 200, "#00ff00"),
  ]);
  for (const person of [ann, ben]) await expectColor(person, 620, 220, "#00ff00");
  for (const save of saves) save();
  // This is repeated when the stroke is no longer new.
  await switchTabs(ann);
  await expect.poll(() => objectsOf(product)).toBe(4);
  await plain.send(sent, (objects) => [...objects, square(600, 300, "#0000ff")]);
  for (const person of [ann, ben]) await expectColor(person, 620, 320, "#0000ff");
  await drawLines(ben, [250]);
  await switchTabs(ben);
  for (const person of [ann, ben]) await expectLines(person, [150, 250]);
  await expect
    .poll(async () => (await product.row())?.canvas_json.objects.map(({ type }) => type).toSorted())
    .toEqual(["Path", "Path", "Rect", "Rect", "Rect", "Rect"]);
});

test("MRG-13 a plain drawing of unreadable objects removes nothing, neither as a message nor as the row", async ({
  visit,
  plain,
  product,
}) => {
  const ann = await visit({ prepare: (page) => page.clock.install() });
  ann.allow(/console warning/);
  await drawLines(ann, [150, 200]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  // Only objects older than 3 s can be known to a plain client, and so be removed by it.
  await ann.page.clock.fastForward(3_500);
  const json = { objects: [null, 7, { type: "NoSuchThing" }] };
  await plain.wire.send(EVENTS.update, { json, clientId: "plainclient0" });
  await sendMark(plain.wire, ann);
  await expectLines(ann, [150, 200]);
  expect(await plain.wire.write(json)).toBe(204);
  await switchTabs(ann);
  await drawLines(ann, [250]);
  await switchTabs(ann);
  await expect(ann.saving).toHaveText("Saved");
  await expectLines(ann, [150, 200, 250]);
  await expect.poll(() => objectsOf(product)).toBeGreaterThanOrEqual(4);
});

test("SYN-13 a plain client's drawing that arrives while the row is loaded is not applied", async ({
  visit,
  plain,
  product,
}) => {
  await product.seed({ ...EMPTY, objects: [square(200, 100, "#ff0000")] });
  let release = (): void => undefined;
  let arrived = false;
  const ann = await visit({
    unready: true,
    async prepare(page) {
      page.on("websocket", (socket) =>
        socket.on("framereceived", ({ payload }) => {
          if (payload.includes("plainclient0")) arrived = true;
        }),
      );
      release = await holdRequests(page, "**/rest/v1/canvas_state*");
    },
  });
  await expect(ann.page.getByText("1 user online")).toBeVisible();
  // It is sent again until the page has joined the channel.
  await expect
    .poll(async () => {
      await plain.send({ ...EMPTY, objects: [square(600, 100, "#00ff00")] });
      return arrived;
    })
    .toBe(true);
  release();
  await expect(ann.saving).toHaveText("Saved");
  await expectColor(ann, 220, 120, "#ff0000");
  await expectColor(ann, 620, 120, "#ffffff");
});

test("MRG-13 an object that a plain client recolours and colours back has its first colour again, for everybody", async ({
  visit,
  plain,
  product,
}) => {
  await product.seed({ ...EMPTY, objects: [square(200, 100, "#ff0000")] });
  const [ann, ben] = [await visit(), await visit()];
  const row = (await product.row())?.canvas_json as object;
  const recolour = (fill: string) => (objects: PlainObject[]) =>
    objects.map((object) => ({ ...object, fill }));
  let sent: object = row;
  for (const color of ["#0000ff", "#ff0000", "#0000ff", "#ff0000"]) {
    sent = await plain.send(sent, recolour(color));
    for (const person of [ann, ben]) await expectColor(person, 220, 120, color);
  }
  await drawLines(ann, [250]);
  await switchTabs(ann);
  await expect.poll(() => objectsOf(product)).toBe(2);
  const { objects } = await expectReadable(product, [250]);
  expect(objects.find(({ type }) => type === "Rect")).toMatchObject({ left: 200, fill: "#ff0000" });
});

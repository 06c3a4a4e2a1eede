import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FrameLocator, Page } from "@playwright/test";
import { forget } from "./devices.ts";
import { expect, test } from "./fixtures.ts";
import { switchTabs } from "./person.ts";
import { startProduct, type Product } from "./product.ts";
import { setLocked } from "./ui/host-steps.ts";

/** Serves a page of another origin, which shows the whiteboard in a frame. */
async function hostPage(address: () => string): Promise<{ origin: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><title>School</title><link rel="icon" href="data:,">
       <iframe title="Board" src="${address()}" style="width: 1000px; height: 700px; border: 0"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // It is a site other than 127.0.0.1 of the product.
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

interface School {
  readonly product: Product;
  /** The address of the page that shows the whiteboard. */
  readonly origin: string;
  readonly board: (page: Page) => FrameLocator;
}

// The tests of the frame share a server and its page.
test.describe.configure({ mode: "default" });

let school: School;
let host: Server;

test.beforeAll(async () => {
  const { origin, server } = await hostPage(() => `${school.product.url}/?embed&view=500,300,2`);
  const product = await startProduct({ FRAME_ANCESTORS: origin });
  school = { product, origin, board: (page) => page.frameLocator("iframe") };
  host = server;
});

test.afterAll(async () => {
  await school.product.dispose();
  host.close();
});

/** Draws a stroke in the frame, whose top left corner is 8 px from the window's. */
async function stroke(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  await page.mouse.move(from[0] + 8, from[1] + 8);
  await page.mouse.down();
  await page.mouse.move(to[0] + 8, to[1] + 8, { steps: 5 });
  await page.mouse.up();
}

test("UI-110 in a frame of another site ?embed leaves out header and menu, keeps the save state and the sign of the lock, and begins at its view", async ({
  visit,
}) => {
  const { product, origin, board } = school;
  await product.empty();
  const { page } = await visit({
    url: origin,
    unready: true,
    prepare: (one) => forget(one, product.url),
  });
  const frame = board(page);
  await expect(frame.locator("output")).toHaveText("Saved");
  await expect(frame.getByRole("button", { name: "Menu" })).toHaveCount(0);
  await expect(frame.getByRole("button", { name: /online/ })).toHaveCount(0);
  await expect(frame.getByRole("button", { name: "Undo" })).toBeVisible();
  await expect(frame.getByRole("button", { name: "Zoom: 200 %" })).toBeVisible();
  // The canvas is as high as the frame, and the board's point (500, 300) is in its middle.
  const canvas = frame.getByRole("application", { name: "Canvas" });
  expect(await canvas.boundingBox()).toMatchObject({ x: 8, y: 8, width: 1000, height: 700 });
  await stroke(page, [500, 350], [600, 350]);
  await expect(frame.locator("output")).toHaveText("Saved", { timeout: 30_000 });
  await expect
    .poll(async () => (await product.row())?.canvas_json.objects[0])
    .toMatchObject({ type: "Path", left: 498.5, top: 298.5 });

  const sentence = "The host has locked the board";
  await setLocked(product, true);
  const sign = frame.locator(".lock-sign", { hasText: sentence });
  await expect(sign).toBeVisible();
  for (const name of ["Draw", "Undo"])
    await expect(frame.getByRole("button", { name })).toHaveAccessibleDescription(sentence);
  // It is below save state and Undo.
  const header = await frame.getByRole("banner").boundingBox();
  const box = await sign.boundingBox();
  expect(box?.y).toBeGreaterThan((header?.y ?? NaN) + (header?.height ?? NaN));
  await setLocked(product, false);
});

test("UI-111 a frame whose storage the browser refuses works without an error, and keeps nothing", async ({
  visit,
}) => {
  const { product, origin, board } = school;
  await product.empty();
  const refuse = (): void => {
    if (window === window.top) return;
    const refused = function (): never {
      throw new DOMException("The request was denied.", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
      Object.defineProperty(window, name, { get: refused });
    Object.defineProperty(navigator, "serviceWorker", { get: refused });
    // Firefox refuses it as well.
    Object.assign(window, { BroadcastChannel: refused });
  };
  const person = await visit({
    url: origin,
    unready: true,
    prepare: (page) => page.addInitScript(refuse),
  });
  person.allow(/Unsaved changes cannot be kept on this device/);
  const frame = board(person.page);
  await expect(frame.getByRole("log")).toBeAttached();
  await stroke(person.page, [500, 350], [600, 350]);
  await expect(frame.locator("output")).toHaveText("Saved", { timeout: 30_000 });
  expect((await product.row())?.canvas_json.objects).toHaveLength(1);
});

test("SRV-87 below a path behind its own address the whiteboard is shared, kept for a start without the server, and its 404 page leads home", async ({
  visit,
}) => {
  const product = await startProduct({ BASE_PATH: "/board" });
  try {
    const person = await visit({ url: `${product.url}/board/nowhere/deep`, unready: true });
    const { page } = person;
    person.allow(/unknown route/, /status of 404/, /WebSocket/, /Failed to load resource/);
    person.allow(/not (?:saved|loaded)/i);
    await page.getByRole("link", { name: "Return to Home" }).click();
    await person.ready();
    expect(new URL(page.url()).pathname).toBe("/board/");
    // It works without the slash at its end as well.
    const peer = await visit({ url: `${product.url}/board` });
    peer.allow(/WebSocket/, /Failed to load resource/, /not (?:saved|loaded)/i);
    await person.stroke([200, 200], [400, 200]);
    await expect.poll(() => peer.colorAt([300, 200])).toBe("#000000");
    await switchTabs(person);
    await expect(person.saving).toHaveText("Saved");
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
    // Its service worker's script may still be on its way.
    await peer.page.close();
    await product.stop();
    await page.reload();
    await person.ready();
    await expect.poll(() => person.colorAt([300, 200])).toBe("#000000");
  } finally {
    await product.dispose();
  }
});

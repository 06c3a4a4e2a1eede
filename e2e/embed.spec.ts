import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FrameLocator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { startProduct, type Product } from "./product.ts";

/** A page of another origin, which shows the whiteboard in a frame. */
async function hostPage(address: () => string): Promise<{ origin: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><title>School</title><link rel="icon" href="data:,">
       <iframe title="Board" src="${address()}" style="width: 640px; height: 400px; border: 0"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Another site than 127.0.0.1 of the product.
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

async function embedded(
  work: (parts: {
    product: Product;
    origin: string;
    board: (page: Page) => FrameLocator;
  }) => unknown,
): Promise<void> {
  let product: Product | null = null;
  const { origin, server } = await hostPage(() => `${product?.url}/?embed&view=500,300,2`);
  product = await startProduct({ FRAME_ANCESTORS: origin });
  try {
    await work({ product, origin, board: (page) => page.frameLocator("iframe") });
  } finally {
    await product.dispose();
    server.close();
  }
}

/** A stroke in the frame, whose top left corner is 8 px from the window's. */
async function stroke(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  await page.mouse.move(from[0] + 8, from[1] + 8);
  await page.mouse.down();
  await page.mouse.move(to[0] + 8, to[1] + 8, { steps: 5 });
  await page.mouse.up();
}

test("UI-111 a frame whose storage the browser refuses works without an error, and keeps nothing", async ({
  visit,
}) => {
  await embedded(async ({ product, origin, board }) => {
    const refuse = (): void => {
      if (window === window.top) return;
      const refused = () => {
        throw new DOMException("The request was denied.", "SecurityError");
      };
      for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
        Object.defineProperty(window, name, { get: refused });
      Object.defineProperty(navigator, "serviceWorker", { get: refused });
    };
    const person = await visit({
      url: origin,
      unready: true,
      prepare: (page) => page.addInitScript(refuse),
    });
    person.allow(/Unsaved changes cannot be kept on this device/);
    const frame = board(person.page);
    await expect(frame.getByRole("log")).toBeAttached();
    await stroke(person.page, [320, 200], [420, 200]);
    await expect(frame.locator("output")).toHaveText("Saved", { timeout: 30_000 });
    expect((await product.row())?.canvas_json.objects).toHaveLength(1);
  });
});

/** Tests programs in a page that are not the whiteboard's, with the client library of several versions. */

import { createRequire } from "node:module";
import { expect, test } from "./fixtures.ts";

const { resolve } = createRequire(import.meta.url);
const LIBRARIES = ["supabase-js-2.39", "supabase-js-2.80", "@supabase/supabase-js"];

/** The used part of the library's page build, alike in all versions. */
interface Library {
  createClient(
    url: string,
    key: string,
    options: object,
  ): {
    channel(topic: string): Channel;
  };
}

interface Channel {
  on(kind: string, asked: object, take: (message: { readonly eventType?: string }) => void): this;
  subscribe(): this;
}

/** Subscribes to the row and resolves when the server reports its changes; runs in the page. */
async function listen(topic: string): Promise<string[]> {
  const { supabase } = window as unknown as { supabase: Library };
  const { supabaseAnonKey } = (await (await fetch("/config.json")).json()) as {
    supabaseAnonKey: string;
  };
  const auth = { persistSession: false, autoRefreshToken: false };
  const client = supabase.createClient(location.origin, supabaseAnonKey, { auth });
  const received: string[] = [];
  Object.assign(window, { [topic]: received });
  const asked = { event: "*", schema: "public", table: "canvas_state" };
  await new Promise<void>((done) => {
    client
      .channel(topic)
      .on("postgres_changes", asked, ({ eventType }) => void received.push(eventType ?? "none"))
      .on("system", {}, () => done())
      .subscribe();
  });
  return received;
}

test("RT-50 the client library of 2.39, 2.80 and now subscribes to changes of the row from a page", async ({
  page,
  product,
}) => {
  // A page of the origin that runs nothing.
  await page.goto(`${product.url}/healthz`);
  for (const [at, name] of LIBRARIES.entries()) {
    const path = resolve(`${name}/package.json`).replace("package.json", "dist/umd/supabase.js");
    const url = `${product.url}/library-${at}.js`;
    await page.route(url, (route) => route.fulfill({ path }));
    await page.addScriptTag({ url });
    expect(await page.evaluate(listen, `topic${at}`)).toEqual([]);
  }
  const drawing = { version: "7.4.0", objects: [], background: "white" };
  await product.seed(drawing);
  const body = JSON.stringify({ canvas_json: { ...drawing, background: "#ffffff" } });
  const headers = { "content-type": "application/json" };
  const { id } = (await product.row()) ?? {};
  const answer = await product.rest(`canvas_state?id=eq.${id}`, { method: "PATCH", headers, body });
  expect(answer.status).toBe(204);
  // Objects that were on the board before the test may have been removed since.
  for (const [at] of LIBRARIES.entries())
    await expect
      .poll(() => page.evaluate((topic) => (window as never)[topic], `topic${at}`))
      .toEqual(expect.arrayContaining(["INSERT", "UPDATE"]));
});

/** Steps of a host, for several tests. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { withoutSettings } from "../../scripts/environment.mjs";
import { expect } from "../fixtures.ts";
import type { Product } from "../product.ts";
import { button } from "./controls.ts";

const COMMAND = fileURLToPath(
  new URL("../../dist/server/server/host-link/main.js", import.meta.url),
);

const links = new WeakMap<Product, Promise<string>>();

/** Returns the server's host link, for which its command is asked once. */
export function hostLink(product: Product): Promise<string> {
  const link = links.get(product) ?? askForLink(product);
  links.set(product, link);
  return link;
}

/** Has `hostLink` return the link of this page, whose visitor has made new ones. */
export async function takeLink(product: Product, page: Page): Promise<void> {
  const secret = await page.evaluate(() => localStorage.getItem("inkpool:host"));
  links.set(product, Promise.resolve(`${product.url}/#host=${secret}`));
}

async function askForLink({ dataDir, url }: Product): Promise<string> {
  const env = { ...withoutSettings(), DATA_DIR: dataDir };
  const args = [COMMAND, "--origin", url];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout.trim().replace("host link: ", "");
}

/** Locks the board, or opens it, as its host. */
export async function setLocked(product: Product, locked: boolean): Promise<void> {
  const secret = (await hostLink(product)).split("#host=")[1];
  const json = { "content-type": "application/json" };
  const answer = await fetch(`${product.url}/host/v1/token`, {
    ...{ method: "POST", headers: json, body: JSON.stringify({ secret }) },
  });
  const { access_token: token } = (await answer.json()) as { readonly access_token: string };
  const headers = { ...json, authorization: `Bearer ${token}` };
  const body = JSON.stringify({ locked });
  const { ok, status } = await product.rest("canvas_settings?id=eq.1", {
    ...{ method: "PATCH", headers, body },
  });
  if (!ok) throw new Error(`the lock cannot be changed: ${status}`);
}

export async function openHostPanel(page: Page): Promise<void> {
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Host" }).click();
  await expect(page.getByRole("dialog", { name: "Host" })).toBeVisible();
}

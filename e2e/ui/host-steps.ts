/** Steps of a host, for several tests. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect } from "../fixtures.ts";
import type { Product } from "../product.ts";
import { button } from "./controls.ts";

const COMMAND = fileURLToPath(
  new URL("../../dist/server/server/host-link/main.js", import.meta.url),
);

/** Asks the command of the server for its host link. */
export async function hostLink({ dataDir, url }: Product): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir };
  const args = [COMMAND, "--origin", url];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout.trim().replace("host link: ", "");
}

export async function openHostPanel(page: Page): Promise<void> {
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Host" }).click();
  await expect(page.getByRole("dialog", { name: "Host" })).toBeVisible();
}

/** Locks the board, or unlocks it, as the host whose link this is. */
export async function lockBoard(product: Product, link: string, locked = true): Promise<void> {
  const secret = link.split("#host=")[1];
  const json = { "content-type": "application/json" };
  const answer = await fetch(`${product.url}/host/v1/token`, {
    ...{ method: "POST", headers: json, body: JSON.stringify({ secret }) },
  });
  const { access_token: token } = (await answer.json()) as { readonly access_token: string };
  const headers = { ...json, authorization: `Bearer ${token}` };
  const body = JSON.stringify({ locked });
  await product.rest("canvas_settings?id=eq.1", { method: "PATCH", headers, body });
}

/** Steps of tests with files. */

import { writeFile } from "node:fs/promises";
import { type FileChooser, type Page, test } from "@playwright/test";
import { clickOn } from "../click.ts";
import type { Person } from "../person.ts";

export async function choose(page: Page, item: string): Promise<void> {
  await clickOn(page, "button", "Menu");
  await clickOn(page, "menuitem", item);
}

/** The bytes from which on a file is given by its path: with its content a megabyte takes a tenth of a second of work. */
const LARGE = 100_000;

/** Chooses a file. A large one has the type that the browser gives its name. */
export async function give(
  chooser: FileChooser,
  name: string,
  content: string | Buffer,
  mimeType = "",
): Promise<void> {
  const buffer = Buffer.from(content);
  if (buffer.length < LARGE) return chooser.setFiles({ name, mimeType, buffer });
  const path = test.info().outputPath(name);
  await writeFile(path, buffer);
  await chooser.setFiles(path);
}

/** Pastes words with the pointer at a point of the window. */
export async function pasteWords(
  { page, canvas }: Person,
  words: string,
  at: readonly [number, number],
): Promise<void> {
  await page.mouse.move(...at);
  await canvas.focus();
  await canvas.evaluate((surface, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    surface.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, words);
}

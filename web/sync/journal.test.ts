import { IDBFactory } from "fake-indexeddb";
import { describe, expect, test } from "vitest";
import { openIndexedDbJournal } from "./journal.ts";
import type { Log } from "./world.ts";

function listen(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  return { log: { error: write, warn: write, info: write }, lines };
}

describe("the journal", () => {
  test("SAV-7 what a page wrote is there for the next one, whatever became of the first", async () => {
    const device = new IDBFactory();
    const { log } = listen();
    const first = openIndexedDbJournal(device, "board", log);
    first.write({ key: ["one", 1], text: "a" });
    first.write({ key: ["one", 2], text: "b" });
    await first.read();
    const second = openIndexedDbJournal(device, "board", log);
    second.write({ key: ["two", 1], text: "c" });
    expect(await second.read()).toEqual([
      { key: ["one", 1], text: "a" },
      { key: ["one", 2], text: "b" },
      { key: ["two", 1], text: "c" },
    ]);
    second.remove([
      ["one", 1],
      ["two", 1],
    ]);
    expect(await second.read()).toEqual([{ key: ["one", 2], text: "b" }]);
    await Promise.all([first.close(), second.close()]);
  });

  test("close waits for what was written", async () => {
    const device = new IDBFactory();
    const { log } = listen();
    const first = openIndexedDbJournal(device, "board", log);
    first.write({ key: ["one", 1], text: "a" });
    await first.close();
    const second = openIndexedDbJournal(device, "board", log);
    expect(await second.read()).toHaveLength(1);
    await second.close();
  });

  test("SAV-8 a device that cannot keep changes is told of in the log once, and nothing else happens", async () => {
    const { log, lines } = listen();
    const journal = openIndexedDbJournal(undefined, "board", log);
    journal.write({ key: ["one", 1], text: "a" });
    journal.write({ key: ["one", 2], text: "b" });
    expect(await journal.read()).toEqual([]);
    expect(journal.working).toBe(false);
    expect(lines).toEqual([
      "Unsaved changes cannot be kept on this device: this browser has no IndexedDB",
    ]);
    await journal.close();
  });

  test("a database that was broken off in the middle does not throw", async () => {
    const device = new IDBFactory();
    const { log, lines } = listen();
    const journal = openIndexedDbJournal(device, "board", log);
    await journal.read();
    const other = device.deleteDatabase("board");
    await new Promise((resolve) => (other.onsuccess = resolve));
    journal.write({ key: ["one", 1], text: "a" });
    expect(await journal.read()).toEqual([]);
    expect(journal.working).toBe(false);
    expect(lines).toHaveLength(1);
    await journal.close();
  });
});

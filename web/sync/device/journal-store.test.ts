import { forceCloseDatabase, IDBFactory } from "fake-indexeddb";
import { describe, expect, test, vi } from "vitest";
import { openIndexedDbJournalStore } from "./journal-store.ts";

function createLog(): { log: { warn(line: string): void }; lines: string[] } {
  const lines: string[] = [];
  return { log: { warn: (line) => void lines.push(line) }, lines };
}

describe("the journal in IndexedDB", () => {
  test("SAV-7 a page's entries are there for the next page, even if the first was killed", async () => {
    const device = new IDBFactory();
    const { log } = createLog();
    const first = openIndexedDbJournalStore(device, "board", log);
    void first.write({ key: ["one", 1], text: "a" });
    void first.write({ key: ["one", 2], text: "b" });
    await first.read();
    const second = openIndexedDbJournalStore(device, "board", log);
    void second.write({ key: ["two", 1], text: "c" });
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

  test("close waits for pending writes", async () => {
    const device = new IDBFactory();
    const { log } = createLog();
    const first = openIndexedDbJournalStore(device, "board", log);
    void first.write({ key: ["one", 1], text: "a" });
    await first.close();
    const second = openIndexedDbJournalStore(device, "board", log);
    expect(await second.read()).toHaveLength(1);
    await second.close();
  });

  test("SAV-7 a device that cannot keep changes is logged once, and nothing else happens", async () => {
    const { log, lines } = createLog();
    const store = openIndexedDbJournalStore(undefined, "board", log);
    void store.write({ key: ["one", 1], text: "a" });
    void store.write({ key: ["one", 2], text: "b" });
    expect(await store.read()).toEqual([]);
    expect(store.working).toBe(false);
    expect(lines).toEqual([
      "Unsaved changes cannot be kept on this device: this browser has no IndexedDB",
    ]);
    await store.close();
  });

  test("SAV-7 a device without space is named, though its fault says nothing", async () => {
    const { log, lines } = createLog();
    const full = new IDBFactory();
    full.open = () => {
      throw new DOMException("", "QuotaExceededError");
    };
    const store = openIndexedDbJournalStore(full, "board", log);
    void store.write({ key: ["one", 1], text: "a" });
    await store.close();
    expect(lines).toEqual(["Unsaved changes cannot be kept on this device: QuotaExceededError"]);
  });

  test("SAV-7 a database that the browser closes, or another page deletes, is opened again", async () => {
    const device = new IDBFactory();
    const open = vi.spyOn(device, "open");
    const { log, lines } = createLog();
    const store = openIndexedDbJournalStore(device, "board", log);
    void store.write({ key: ["one", 1], text: "a" });
    await store.read();
    const { result: database } = open.mock.results[0]!.value as IDBOpenDBRequest;
    const closed = new Promise((resolve) => database.addEventListener("close", resolve));
    open.mockImplementationOnce(() => {
      throw new DOMException("", "UnknownError");
    });
    // Its type asks for the class instead of an instance.
    forceCloseDatabase(database as never);
    await closed;
    void store.write({ key: ["one", 2], text: "b" });
    expect(await store.read()).toEqual([
      { key: ["one", 1], text: "a" },
      { key: ["one", 2], text: "b" },
    ]);
    const removal = device.deleteDatabase("board");
    await new Promise((resolve) => (removal.onsuccess = resolve));
    void store.write({ key: ["one", 3], text: "c" });
    expect(await store.read()).toEqual([{ key: ["one", 3], text: "c" }]);
    expect(store.working).toBe(true);
    expect(lines).toEqual([]);
    await store.close();
  });
});

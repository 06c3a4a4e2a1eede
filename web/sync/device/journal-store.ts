/** The driver of the journal's store for IndexedDB. */

import { openDatabase } from "./database.ts";
import type { JournalEntry, JournalKey, JournalStore } from "../environment/device-stores.ts";

const STORE = "changes";

/** Opens the database `name`. `factory` is undefined in a browser without IndexedDB: nothing is kept then. */
export function openIndexedDbJournalStore(
  factory: IDBFactory | undefined,
  name: string,
  log: Pick<Console, "warn">,
): JournalStore {
  let working = factory !== undefined;
  let logged = false;
  let closed = false;
  let last: Promise<void> = Promise.resolve();

  const fail = (fault: unknown): void => {
    working = false;
    if (logged || closed) return;
    logged = true;
    log.warn(`Unsaved changes cannot be kept on this device: ${faultText(fault)}`);
  };
  const succeed = (): void => {
    working = true;
  };
  const database = openDatabase(factory, name, STORE, "strict");

  const run = (mode: IDBTransactionMode, work: (store: IDBObjectStore) => void): Promise<void> => {
    const done = database.run(mode, work).then(succeed, fail);
    last = Promise.all([last, done]).then(() => undefined);
    return done;
  };

  return {
    get working() {
      return working;
    },
    async read() {
      const entries: JournalEntry[] = [];
      await run("readonly", (store) => {
        const request = store.openCursor();
        request.onsuccess = () => {
          const cursor = request.result;
          if (!cursor) return;
          const key: unknown = cursor.key;
          if (isKey(key) && typeof cursor.value === "string")
            entries.push({ key, text: cursor.value });
          cursor.continue();
        };
      });
      return entries;
    },
    write: ({ key, text }) => run("readwrite", (store) => void store.put(text, [...key])),
    remove(keys) {
      if (keys.length === 0) return;
      void run("readwrite", (store) => {
        for (const key of keys) store.delete([...key]);
      });
    },
    async close() {
      if (closed) return;
      await last;
      closed = true;
      await database.close();
    },
  };
}

function isKey(key: unknown): key is JournalKey {
  return Array.isArray(key) && typeof key[0] === "string" && typeof key[1] === "number";
}

/** A device without space gives a fault without a message. */
function faultText(fault: unknown): string {
  return fault instanceof Error ? fault.message || fault.name : String(fault);
}

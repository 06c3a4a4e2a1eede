/** The driver of the journal's store for IndexedDB. All tabs of an origin share one database. */

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
  const opened = open(factory, name).catch((fault: unknown) => {
    fail(fault);
    return null;
  });
  let ready: IDBDatabase | null = null;
  void opened.then((database) => {
    ready = database;
    // Another tab wants to change or delete the database: an open connection would block it.
    database?.addEventListener("versionchange", () => database.close());
  });

  const run = (mode: IDBTransactionMode, work: (store: IDBObjectStore) => void): Promise<void> => {
    const start = (database: IDBDatabase | null): Promise<void> =>
      database ? transact(database, mode, work).then(succeed, fail) : Promise.resolve();
    // Once the database is open a write must start in the caller's own task: the next one may never run.
    const done = ready ? start(ready) : opened.then(start);
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
    write: ({ key, text }) => void run("readwrite", (store) => void store.put(text, [...key])),
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
      (await opened)?.close();
    },
  };
}

function open(factory: IDBFactory | undefined, name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    if (!factory) throw new Error("this browser has no IndexedDB");
    const request = factory.open(name, 1);
    request.onupgradeneeded = () => void request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function transact(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // strict: the write is acknowledged when it is on the disk, not when it was handed to the system.
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    work(transaction.objectStore(STORE));
    // A cursor still has requests to make; a write has none, and committing it now brings it to the disk sooner.
    if (mode === "readwrite") transaction.commit?.();
  });
}

function isKey(key: unknown): key is JournalKey {
  return Array.isArray(key) && typeof key[0] === "string" && typeof key[1] === "number";
}

/** A device without space gives a fault without a message. */
function faultText(fault: unknown): string {
  return fault instanceof Error ? fault.message || fault.name : String(fault);
}

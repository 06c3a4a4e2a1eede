/**
 * What this page drew and nobody has saved yet, kept on this device: a killed tab or a closed laptop
 * loses nothing. All tabs of an origin share one IndexedDB database; an entry belongs to the page
 * that wrote it, and any page may take over what an earlier one left behind.
 */

import type { Log, RoomConfig } from "./world.ts";

/** [the page's clientId, the entry's number in that page] */
export type JournalKey = readonly [page: string, entry: number];

export interface JournalEntry {
  readonly key: JournalKey;
  /** A partial drawing as JSON text. */
  readonly text: string;
}

/** Never rejects and never throws: a device that cannot keep things is told of in the log, once. */
export interface Journal {
  /** False while this device cannot keep what is written. */
  readonly working: boolean;
  /** All entries, those of other pages too. */
  read(): Promise<readonly JournalEntry[]>;
  /** Starts the write before it returns. */
  write(entry: JournalEntry): void;
  remove(keys: readonly JournalKey[]): void;
  close(): Promise<void>;
}

export type OpenJournal = (config: RoomConfig, log: Log) => Journal;

const STORE = "changes";

/** The journal in a browser's IndexedDB. `factory` is undefined where the browser has none. */
export function openIndexedDbJournal(
  factory: IDBFactory | undefined,
  name: string,
  log: Log,
): Journal {
  let working = factory !== undefined;
  let told = false;
  let closed = false;
  let last: Promise<void> = Promise.resolve();

  const fail = (fault: unknown): void => {
    working = false;
    if (told || closed) return;
    told = true;
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
    // Another tab wants to change or delete the database: holding on would block it.
    database?.addEventListener("versionchange", () => database.close());
  });

  const run = (mode: IDBTransactionMode, work: (store: IDBObjectStore) => void): Promise<void> => {
    const start = (database: IDBDatabase | null): Promise<void> =>
      database ? transact(database, mode, work).then(succeed, fail) : Promise.resolve();
    // Once the database is open a write must start in the caller's own task: the next one may never come.
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
    // strict: on the disk, and not only on its way there, when the write is acknowledged.
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    work(transaction.objectStore(STORE));
    // A cursor still has to ask for more; a write is over, and the sooner it is on the disk the better.
    if (mode === "readwrite") transaction.commit?.();
  });
}

function isKey(key: unknown): key is JournalKey {
  return Array.isArray(key) && typeof key[0] === "string" && typeof key[1] === "number";
}

function faultText(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

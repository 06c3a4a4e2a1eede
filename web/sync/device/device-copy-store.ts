/**
 * Keeps a copy of the drawing on this device, in a database of its own: the journal's must not be locked, damaged or
 * filled by what only saves a wait. Never rejects: a device that cannot keep the copy has none.
 */

import { LIMITS } from "../../../board/constants.ts";
import type { DeviceCopyStore } from "../environment/device-stores.ts";

const STORE = "drawings";

/** `board`: the address of the backend, whose drawing it is. Without `factory` nothing is kept. */
export function openIndexedDbCopyStore(
  factory: IDBFactory | undefined,
  name: string,
  board: string,
): DeviceCopyStore {
  const opened = open(factory, name).catch(() => null);
  let ready: IDBDatabase | null = null;
  void opened.then((database) => {
    ready = database;
    database?.addEventListener("versionchange", () => database.close());
  });

  const run = async <T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | null> => {
    try {
      // An open database is written to in the caller's own task: the page may be leaving.
      const database = ready ?? (await opened);
      return database ? await transact(database, mode, work) : null;
    } catch {
      return null;
    }
  };
  const clear = async (): Promise<void> => {
    await run("readwrite", (store) => store.clear());
  };
  return {
    async read() {
      const text: unknown = await run("readonly", (store) => store.get(board));
      return typeof text === "string" && text.length <= LIMITS.canvasBytes ? text : null;
    },
    async write(text) {
      const key = await run("readwrite", (store) => {
        store.clear();
        return store.put(text, board);
      });
      if (key === null) await clear();
      return key !== null;
    },
    clear,
    close: () => void opened.then((database) => database?.close()),
  };
}

function open(factory: IDBFactory | undefined, name: string): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    if (!factory) return resolve(null);
    const request = factory.open(name, 1);
    request.onupgradeneeded = () => void request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function transact<T>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // A copy that a power cut destroys is no loss.
    const transaction = database.transaction(STORE, mode, { durability: "relaxed" });
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

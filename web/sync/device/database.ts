/** A database of IndexedDB with one object store. All tabs of an origin share it. */

export interface Database {
  /**
   * Runs `work` in a transaction, and resolves to its result when that is complete; rejects when the transaction is
   * aborted, or the database cannot be opened. Once the database is open, the work starts before the call returns: the
   * page may be leaving. In "readwrite" `work` makes all its requests at once.
   */
  readonly run: <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => T) => Promise<T>;
  /** Closes it for good, as soon as it is open. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the database `name`, with the object store `store`, again whenever the browser or another tab ended the
 * connection. `factory` is undefined in a browser without IndexedDB.
 * With the durability "strict" a write is acknowledged when it is on the disk, not when it was handed to the system.
 */
export function openDatabase(
  factory: IDBFactory | undefined,
  name: string,
  store: string,
  durability: IDBTransactionDurability,
): Database {
  let ready: IDBDatabase | undefined;
  let opened: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    ready?.close();
    ready = undefined;
    opened = new Promise((resolve, reject) => {
      if (!factory) throw new Error("this browser has no IndexedDB");
      const request = factory.open(name, 1);
      request.onupgradeneeded = () => void request.result.createObjectStore(store);
      request.onsuccess = () => {
        ready = request.result;
        // WebKit closes it when its storage process ends, every browser when the visitor clears the site's data. Another
        // tab that wants to change or delete the database would be blocked by an open connection.
        ready.onclose = ready.onversionchange = open;
        resolve(ready);
      };
      request.onerror = () => reject(request.error);
    });
    // `run` rejects with it, and the next one tries again.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  void open();
  return {
    run(mode, work) {
      const start = (database: IDBDatabase) =>
        new Promise<ReturnType<typeof work>>((resolve, reject) => {
          const transaction = database.transaction(store, mode, { durability });
          const result = work(transaction.objectStore(store));
          transaction.oncomplete = () => resolve(result);
          transaction.onabort = () => reject(transaction.error);
          // A cursor still has requests to make; a write has none, and committing it now brings it to the disk sooner.
          if (mode === "readwrite") transaction.commit?.();
        });
      return ready ? start(ready) : (opened ?? open()).then(start);
    },
    async close() {
      (await opened?.catch(() => undefined))?.close();
    },
  };
}

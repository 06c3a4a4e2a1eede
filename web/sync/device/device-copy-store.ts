/**
 * Keeps a copy of the drawing on this device, in a database of its own: the journal's must not be locked, damaged or
 * filled by what only saves a wait. Never rejects: a device that cannot keep the copy has none.
 */

import { LIMITS } from "../../../board/constants.ts";
import { openDatabase } from "./database.ts";
import type { DeviceCopyStore } from "../environment/device-stores.ts";

const STORE = "drawings";

/** `board`: the address of the backend, whose drawing it is. Without `factory` nothing is kept. */
export function openIndexedDbCopyStore(
  factory: IDBFactory | undefined,
  name: string,
  board: string,
): DeviceCopyStore {
  // A copy that a power cut destroys is no loss.
  const database = openDatabase(factory, name, STORE, "relaxed");
  const run = async <T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | null> => {
    try {
      return (await database.run(mode, work)).result;
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
    close: () => void database.close(),
  };
}

/** What each subject of the comparison can do. The peers' are in bench/peers/crdt, where their packages are. */

export interface Stroke {
  fields: Readonly<Record<string, unknown>>;
  points: readonly number[];
}

/** Text or bytes. */
export type Data = string | Uint8Array;

/** Its methods are written as such, so that each subject may have replicas of its own kind. */
export interface Subject {
  /** A replica of this author: empty, or from a row. */
  open(saved: Data | null, author: string): unknown;
  /** Also returns what is sent to the others. */
  add(replica: unknown, stroke: Stroke): { id: string; message: Data };
  remove(replica: unknown, id: string): void;
  receive(replica: unknown, message: Data): void;
  /** The object as plain values. */
  read(replica: unknown, id: string): unknown;
  readAll(replica: unknown): readonly unknown[];
  /** The row. */
  save(replica: unknown): Data;
  /** The smallest row, where there is one that forgets. */
  saveWithoutHistory?(replica: unknown): Data;
  close?(replica: unknown): void;
}

/** @param data Its length in bytes. */
export const bytesOf = (data: Data) =>
  typeof data === "string" ? Buffer.byteLength(data) : data.byteLength;

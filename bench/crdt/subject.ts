/** The interface of each subject of the comparison. The peers' subjects are in bench/peers/crdt, where their packages are. */

export interface Stroke {
  fields: Readonly<Record<string, unknown>>;
  points: readonly number[];
}

/** The data of a row or message: text or bytes. */
export type Data = string | Uint8Array;

/** A subject. Its members are methods, so that each subject may have replicas of its own type. */
export interface Subject {
  /** Opens a replica of this author: an empty one, or from a row. */
  open(saved: Data | null, author: string): unknown;
  /** Adds a stroke; also returns the message for the others. */
  add(replica: unknown, stroke: Stroke): { id: string; message: Data };
  remove(replica: unknown, id: string): void;
  receive(replica: unknown, message: Data): void;
  /** Returns the object as plain values. */
  read(replica: unknown, id: string): unknown;
  readAll(replica: unknown): readonly unknown[];
  /** Returns the row. */
  save(replica: unknown): Data;
  /** Returns the smallest row, where there is one that forgets. */
  saveWithoutHistory?(replica: unknown): Data;
  close?(replica: unknown): void;
}

/** Returns the length of data in bytes. */
export const bytesOf = (data: Data) =>
  typeof data === "string" ? Buffer.byteLength(data) : data.byteLength;

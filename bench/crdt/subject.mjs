/**
 * What each subject of the comparison can do. The peers' are in bench/peers/crdt, where their packages are.
 *
 * @typedef {{ fields: Readonly<Record<string, unknown>>, points: readonly number[] }} Stroke
 * @typedef {string | Uint8Array} Data Text or bytes.
 *
 * @typedef {object} Subject
 * @property {(saved: Data | null, author: string) => any} open A replica of this author: empty, or from a row.
 * @property {(replica: any, stroke: Stroke) => { id: string, message: Data }} add Also returns what is sent to the others.
 * @property {(replica: any, id: string) => void} remove
 * @property {(replica: any, message: Data) => void} receive
 * @property {(replica: any, id: string) => unknown} read The object as plain values.
 * @property {(replica: any) => readonly unknown[]} readAll
 * @property {(replica: any) => Data} save The row.
 * @property {(replica: any) => Data} [saveWithoutHistory] The smallest row, where there is one that forgets.
 * @property {(replica: any) => void} [close]
 */

/** @param {Data} data Its length in bytes. */
export const bytesOf = (data) =>
  typeof data === "string" ? Buffer.byteLength(data) : data.byteLength;

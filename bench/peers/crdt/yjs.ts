/** A board in Yjs: a `Y.Map` for each object in one `Y.Map` of objects. */

import * as Y from "yjs";
import type { Data, Stroke, Subject } from "../../crdt/subject.ts";

interface Replica {
  readonly doc: Y.Doc;
  readonly author: string;
  count: number;
  /** The update of the last change. */
  message: Uint8Array;
}

/**
 * @param paths The form in which a path is stored.
 * @param format Yjs's two encodings: the usual one, and the smaller one.
 */
export function yjs(paths: "text" | "numbers", format: 1 | 2 = 1): Subject {
  const encode = format === 1 ? Y.encodeStateAsUpdate : Y.encodeStateAsUpdateV2;
  const apply = format === 1 ? Y.applyUpdate : Y.applyUpdateV2;
  const event = format === 1 ? "update" : "updateV2";

  const objectsOf = ({ doc }: Replica) => doc.getMap<Y.Map>("objects");

  return {
    open(saved: Uint8Array | null, author: string): Replica {
      const doc = new Y.Doc();
      if (saved !== null) apply(doc, saved);
      doc.clientID = clientOf(author);
      const replica: Replica = { doc, author, count: 0, message: new Uint8Array() };
      doc.on(event, (update) => (replica.message = update));
      return replica;
    },
    add(replica: Replica, { fields, points }: Stroke): { id: string; message: Data } {
      const id = `${replica.author}-${replica.count++}`;
      replica.doc.transact(() => {
        const object = new Y.Map();
        for (const [name, value] of Object.entries(fields)) object.set(name, value);
        if (paths === "numbers") object.set("path", Y.Array.from(points));
        objectsOf(replica).set(id, object);
      });
      return { id, message: replica.message };
    },
    remove(replica: Replica, id: string): void {
      objectsOf(replica).delete(id);
    },
    receive(replica: Replica, message: Uint8Array): void {
      apply(replica.doc, message);
    },
    read: (replica: Replica, id: string) => objectsOf(replica).get(id)?.toJSON(),
    readAll: (replica: Replica) => Object.values(objectsOf(replica).toJSON()),
    save: (replica: Replica) => encode(replica.doc),
  };
}

/** Returns Yjs's name of a client, 32 random bits. */
function clientOf(author: string): number {
  let hash = 2166136261;
  for (const character of author) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619);
  return hash >>> 0;
}

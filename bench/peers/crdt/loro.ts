/** A board in Loro: a `LoroMap` for each object in one `LoroMap` of objects. */

import { LoroDoc, LoroList, LoroMap } from "loro-crdt";
import type { Data, Stroke, Subject } from "../../crdt/subject.ts";

interface Replica {
  readonly doc: LoroDoc;
  readonly author: string;
  count: number;
}

/** @param paths The form in which a path is stored. */
export function loro(paths: "text" | "numbers"): Subject {
  const objectsOf = ({ doc }: Replica) => doc.getMap("objects");

  return {
    open(saved: Uint8Array | null, author: string): Replica {
      const doc = new LoroDoc();
      if (saved !== null) doc.import(saved);
      doc.setPeerId(peerOf(author));
      return { doc, author, count: 0 };
    },
    add(replica: Replica, { fields, points }: Stroke): { id: string; message: Data } {
      const { doc } = replica;
      const id = `${replica.author}-${replica.count++}`;
      const from = doc.oplogVersion();
      const object = objectsOf(replica).setContainer(id, new LoroMap());
      for (const [name, value] of Object.entries(fields))
        if (name !== "path" || paths === "text") object.set(name, value);
      if (paths === "numbers") {
        const list = object.setContainer("path", new LoroList());
        for (const number of points) list.push(number);
      }
      doc.commit();
      return { id, message: doc.export({ mode: "update", from }) };
    },
    remove(replica: Replica, id: string): void {
      objectsOf(replica).delete(id);
      replica.doc.commit();
    },
    receive(replica: Replica, message: Uint8Array): void {
      replica.doc.import(message);
    },
    read: (replica: Replica, id: string) => objectsOf(replica).get(id)?.toJSON(),
    readAll: (replica: Replica) => Object.values(objectsOf(replica).toJSON()),
    save: ({ doc }: Replica) => doc.export({ mode: "snapshot" }),
    saveWithoutHistory: ({ doc }: Replica) =>
      doc.export({ mode: "shallow-snapshot", frontiers: doc.oplogFrontiers() }),
    close: ({ doc }: Replica) => doc.free(),
  };
}

/** Returns Loro's name of a peer, 64 random bits. */
function peerOf(author: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const character of author)
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.charCodeAt(0))) * 0x100000001b3n);
  return hash;
}

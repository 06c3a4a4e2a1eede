/** A board in Loro: a `LoroMap` for each object in one `LoroMap` of objects. */

import { LoroDoc, LoroList, LoroMap } from "loro-crdt";

/**
 * @param {"text" | "numbers"} paths How a path is stored.
 * @returns {import("../../crdt/subject.ts").Subject}
 */
export function loro(paths) {
  const objectsOf = (doc) => doc.getMap("objects");

  return {
    open(saved, author) {
      const doc = new LoroDoc();
      if (saved !== null) doc.import(saved);
      doc.setPeerId(peerOf(author));
      return { doc, author, count: 0 };
    },
    add(state, { fields, points }) {
      const { doc } = state;
      const id = `${state.author}-${state.count++}`;
      const from = doc.oplogVersion();
      const object = objectsOf(doc).setContainer(id, new LoroMap());
      for (const [name, value] of Object.entries(fields))
        if (name !== "path" || paths === "text") object.set(name, value);
      if (paths === "numbers") {
        const list = object.setContainer("path", new LoroList());
        for (const number of points) list.push(number);
      }
      doc.commit();
      return { id, message: doc.export({ mode: "update", from }) };
    },
    remove(state, id) {
      objectsOf(state.doc).delete(id);
      state.doc.commit();
    },
    receive(state, message) {
      state.doc.import(message);
    },
    read: (state, id) => objectsOf(state.doc).get(id)?.toJSON(),
    readAll: (state) => Object.values(objectsOf(state.doc).toJSON()),
    save: (state) => state.doc.export({ mode: "snapshot" }),
    saveWithoutHistory: ({ doc }) =>
      doc.export({ mode: "shallow-snapshot", frontiers: doc.oplogFrontiers() }),
    close: (state) => state.doc.free(),
  };
}

/** Returns the peer of an author; Loro names its peers by 64 random bits. */
function peerOf(author) {
  let hash = 0xcbf29ce484222325n;
  for (const character of author)
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.charCodeAt(0))) * 0x100000001b3n);
  return hash;
}

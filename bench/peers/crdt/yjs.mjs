/** A board in Yjs: a `Y.Map` for each object in one `Y.Map` of objects. */

import * as Y from "yjs";

/**
 * @param {"text" | "numbers"} paths How a path is stored.
 * @param {1 | 2} format Yjs's two encodings: the usual one, and the smaller one.
 * @returns {import("../../crdt/subject.ts").Subject}
 */
export function yjs(paths, format = 1) {
  const encode = format === 1 ? Y.encodeStateAsUpdate : Y.encodeStateAsUpdateV2;
  const apply = format === 1 ? Y.applyUpdate : Y.applyUpdateV2;
  const event = format === 1 ? "update" : "updateV2";

  const objectsOf = (doc) => doc.getMap("objects");

  return {
    open(saved, author) {
      const doc = new Y.Doc();
      if (saved !== null) apply(doc, saved);
      doc.clientID = clientOf(author);
      const state = { doc, author, count: 0, message: null };
      doc.on(event, (update) => (state.message = update));
      return state;
    },
    add(state, { fields, points }) {
      const id = `${state.author}-${state.count++}`;
      state.doc.transact(() => {
        const object = new Y.Map();
        for (const [name, value] of Object.entries(fields)) object.set(name, value);
        if (paths === "numbers") object.set("path", Y.Array.from(points));
        objectsOf(state.doc).set(id, object);
      });
      return { id, message: state.message };
    },
    remove(state, id) {
      objectsOf(state.doc).delete(id);
    },
    receive(state, message) {
      apply(state.doc, message);
    },
    read: (state, id) => objectsOf(state.doc).get(id)?.toJSON(),
    readAll: (state) => Object.values(objectsOf(state.doc).toJSON()),
    save: (state) => encode(state.doc),
  };
}

/** Returns the client of an author; Yjs names its clients by 32 random bits. */
function clientOf(author) {
  let hash = 2166136261;
  for (const character of author) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619);
  return hash >>> 0;
}

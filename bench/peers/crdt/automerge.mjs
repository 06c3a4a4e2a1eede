/**
 * A board in Automerge: a map for each object in one map of objects. Texts are immutable: Automerge's usual texts,
 * which merge by character, would cost an operation for each character.
 */

import { createHash } from "node:crypto";
import * as Automerge from "@automerge/automerge";

/**
 * @param {"text" | "numbers"} paths How a path is stored.
 * @returns {import("../../crdt/subject.ts").Subject}
 */
export function automerge(paths) {
  return {
    open(saved, author) {
      const actor = createHash("sha256").update(author).digest("hex").slice(0, 32);
      const doc =
        saved === null
          ? Automerge.from({ objects: {} }, { actor })
          : Automerge.load(saved, { actor });
      return { doc, author, count: 0 };
    },
    add(state, { fields, points }) {
      const id = `${state.author}-${state.count++}`;
      state.doc = Automerge.change(state.doc, (doc) => {
        const object = {};
        for (const [name, value] of Object.entries(fields)) object[name] = immutable(value);
        if (paths === "numbers") object.path = points;
        doc.objects[id] = object;
      });
      return { id, message: Automerge.getLastLocalChange(state.doc) };
    },
    remove(state, id) {
      state.doc = Automerge.change(state.doc, (doc) => {
        delete doc.objects[id];
      });
    },
    receive(state, message) {
      [state.doc] = Automerge.applyChanges(state.doc, [message]);
    },
    read: (state, id) => state.doc.objects[id],
    readAll: (state) => Object.values(state.doc.objects),
    save: (state) => Automerge.save(state.doc),
    close: (state) => Automerge.free(state.doc),
  };
}

function immutable(value) {
  return typeof value === "string" ? new Automerge.ImmutableString(value) : value;
}

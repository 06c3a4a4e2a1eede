/**
 * A board in Automerge: a map for each object in one map of objects. Texts are immutable: Automerge's usual texts,
 * which merge by character, would cost an operation for each character.
 */

import { createHash } from "node:crypto";
import * as Automerge from "@automerge/automerge";
import type { Data, Stroke, Subject } from "../../crdt/subject.ts";

interface Board {
  readonly objects: Record<string, Record<string, unknown>>;
}

interface Replica {
  doc: Automerge.Doc<Board>;
  readonly author: string;
  count: number;
}

/** @param paths The form in which a path is stored. */
export function automerge(paths: "text" | "numbers"): Subject {
  return {
    open(saved: Uint8Array | null, author: string): Replica {
      const actor = createHash("sha256").update(author).digest("hex").slice(0, 32);
      const doc =
        saved === null
          ? Automerge.from<Board>({ objects: {} }, { actor })
          : Automerge.load<Board>(saved, { actor });
      return { doc, author, count: 0 };
    },
    add(replica: Replica, { fields, points }: Stroke): { id: string; message: Data } {
      const id = `${replica.author}-${replica.count++}`;
      replica.doc = Automerge.change(replica.doc, (doc) => {
        const object: Record<string, unknown> = {};
        for (const [name, value] of Object.entries(fields)) object[name] = immutable(value);
        if (paths === "numbers") object["path"] = points;
        doc.objects[id] = object;
      });
      return { id, message: Automerge.getLastLocalChange(replica.doc) ?? new Uint8Array() };
    },
    remove(replica: Replica, id: string): void {
      replica.doc = Automerge.change(replica.doc, (doc) => {
        delete doc.objects[id];
      });
    },
    receive(replica: Replica, message: Uint8Array): void {
      [replica.doc] = Automerge.applyChanges(replica.doc, [message]);
    },
    read: (replica: Replica, id: string) => replica.doc.objects[id],
    readAll: (replica: Replica) => Object.values(replica.doc.objects),
    save: (replica: Replica) => Automerge.save(replica.doc),
    close: (replica: Replica) => Automerge.free(replica.doc),
  };
}

function immutable(value: unknown): unknown {
  return typeof value === "string" ? new Automerge.ImmutableString(value) : value;
}

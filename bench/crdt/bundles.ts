/** Measures the code that a page would load for each subject. The library's parts are those that a board would use. */

import { ROOT } from "../../scripts/root.mjs";
import { measurePage } from "../bundle.ts";

const YJS = `export { Doc, Map, Array, UndoManager, applyUpdate, encodeStateAsUpdate } from "yjs";`;
const AUTOMERGE = `
  import * as Automerge from "@automerge/automerge/slim";
  import wasm from "@automerge/automerge/automerge.wasm?url";
  await Automerge.initializeWasm(wasm);
  export const { init, load, save, change, applyChanges, getLastLocalChange, ImmutableString } = Automerge;`;
const LORO = `
  import init, { LoroDoc, LoroMap, LoroList, UndoManager } from "loro-crdt/web";
  import wasm from "loro-crdt/web/loro_wasm_bg.wasm?url";
  await init(wasm);
  export { LoroDoc, LoroMap, LoroList, UndoManager };`;
const MERGE = ["board", "merge", "encode"];
const ALL = [...MERGE, "edit", "undo", "parse", "messages", "validate", "adopt", "ink", "path"];

const board = (files: readonly string[]) =>
  files.map((name) => `export * from "${ROOT}board/${name}.ts";`).join("\n");

const PEERS = `${ROOT}bench/peers`;

/** @returns Bytes after gzip. */
export async function measureBundles(): Promise<{ name: string; script: number; wasm: number }[]> {
  return [
    { name: "Inkpool, merging", ...(await measurePage(ROOT, board(MERGE))) },
    { name: "Inkpool, all of board/", ...(await measurePage(ROOT, board(ALL))) },
    { name: "Yjs", ...(await measurePage(PEERS, YJS)) },
    { name: "Automerge", ...(await measurePage(PEERS, AUTOMERGE)) },
    { name: "Loro", ...(await measurePage(PEERS, LORO)) },
  ];
}

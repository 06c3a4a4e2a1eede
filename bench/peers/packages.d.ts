/**
 * The parts that the benches use of the packages in this folder's package.json. Only `npm run bench` installs those,
 * and the check of types runs without them.
 */

declare module "yjs" {
  export class Doc {
    clientID: number;
    getMap<V>(name: string): Map<V>;
    transact(work: () => void): void;
    on(event: "update" | "updateV2", listener: (update: Uint8Array) => void): void;
  }
  export class Map<V = unknown> {
    get(key: string): V | undefined;
    set(key: string, value: V): V;
    delete(key: string): void;
    toJSON(): Record<string, unknown>;
  }
  export class Array<V = unknown> {
    static from<V>(values: readonly V[]): Array<V>;
    readonly length: number;
  }
  export function encodeStateAsUpdate(doc: Doc): Uint8Array;
  export function encodeStateAsUpdateV2(doc: Doc): Uint8Array;
  export function applyUpdate(doc: Doc, update: Uint8Array): void;
  export function applyUpdateV2(doc: Doc, update: Uint8Array): void;
}

declare module "loro-crdt" {
  interface Versions {
    readonly length: () => number;
  }
  type Export =
    | { readonly mode: "update"; readonly from: Versions }
    | { readonly mode: "snapshot" }
    | { readonly mode: "shallow-snapshot"; readonly frontiers: readonly unknown[] };
  export class LoroList {
    push(value: unknown): void;
  }
  export class LoroMap {
    get(key: string): LoroMap | undefined;
    set(key: string, value: unknown): void;
    setContainer<C extends LoroMap | LoroList>(key: string, container: C): C;
    delete(key: string): void;
    toJSON(): Record<string, unknown>;
  }
  export class LoroDoc {
    getMap(name: string): LoroMap;
    setPeerId(id: bigint): void;
    import(bytes: Uint8Array): void;
    export(what: Export): Uint8Array;
    oplogVersion(): Versions;
    oplogFrontiers(): readonly unknown[];
    commit(): void;
    free(): void;
  }
}

declare module "@automerge/automerge" {
  export type Doc<T> = T;
  interface Options {
    readonly actor: string;
  }
  export class ImmutableString {
    constructor(text: string);
  }
  export function from<T>(state: T, options: Options): Doc<T>;
  export function load<T>(saved: Uint8Array, options: Options): Doc<T>;
  export function change<T>(doc: Doc<T>, work: (doc: T) => void): Doc<T>;
  export function applyChanges<T>(doc: Doc<T>, changes: readonly Uint8Array[]): [Doc<T>];
  export function getLastLocalChange<T>(doc: Doc<T>): Uint8Array | undefined;
  export function save<T>(doc: Doc<T>): Uint8Array;
  export function free<T>(doc: Doc<T>): void;
}

declare module "flatbush" {
  /** An index that is built in one go. */
  export default class Flatbush {
    constructor(count: number);
    add(left: number, top: number, right: number, bottom: number): unknown;
    finish(): void;
    search(left: number, top: number, right: number, bottom: number): readonly number[];
  }
}

declare module "rbush" {
  export interface Rectangle {
    readonly minX: number;
    readonly minY: number;
    readonly maxX: number;
    readonly maxY: number;
  }
  export default class RBush {
    insert(item: Rectangle): void;
    remove(item: Rectangle): void;
    search(box: Rectangle): readonly Rectangle[];
  }
}

declare module "@excalidraw/excalidraw" {
  import type { ReactElement } from "react";

  export interface ExcalidrawElement {
    readonly id: string;
  }
  interface Api {
    updateScene(scene: { readonly elements: readonly ExcalidrawElement[] }): void;
    getSceneElementsIncludingDeleted(): readonly ExcalidrawElement[];
    setActiveTool(tool: { readonly type: "freedraw" | "selection" }): void;
  }
  export function Excalidraw(props: { readonly excalidrawAPI: (api: Api) => void }): ReactElement;
  export function restoreElements(
    elements: readonly ExcalidrawElement[],
    local: null,
    options: { readonly refreshDimensions: boolean },
  ): readonly ExcalidrawElement[];
}

declare module "tldraw" {
  import type { ReactElement } from "react";

  export interface Vec {
    readonly x: number;
    readonly y: number;
    readonly z: number;
  }
  export interface TLShapePartial {
    readonly id: string;
    readonly type: string;
    readonly x: number;
    readonly y: number;
    readonly props: Readonly<Record<string, unknown>>;
  }
  export interface Editor {
    createShapes(shapes: readonly TLShapePartial[]): void;
    setCurrentTool(tool: "draw" | "select"): void;
    readonly store: { mergeRemoteChanges(work: () => void): void };
  }
  export const b64Vecs: { encodePoints(points: readonly Vec[]): string };
  export function createShapeId(id: string): string;
  export function Tldraw(props: {
    readonly hideUi: boolean;
    readonly onMount: (editor: Editor) => void;
    readonly options: { readonly maxShapesPerPage: number };
  }): ReactElement;
}

/**
 * The drawing as data. A drawing is Fabric JSON, so any Fabric client can open it; merging needs a few plain fields,
 * which Fabric ignores.
 */

declare const brand: unique symbol;

/** The maker of something: one page load. 1 to 24 characters of [a-z0-9], of which the first 3 are the day (see `makeAuthor`). */
export type Author = string & { readonly [brand]: "Author" };

/**
 * An object's id, `<author>-<sequence>`: the author's n-th object, n from 0. For a foreign object the author is a
 * hash of its content.
 */
export type ObjectId = string & { readonly [brand]: "ObjectId" };

/**
 * A version and an author: how often a group was changed, and by whom last. The greater version wins, then the
 * greater author.
 */
export type Stamp = readonly [version: number, author: Author];

/** The name of a property group: properties that are settled together when two people change one object at the same time. */
export type Group = "place" | "look" | "content" | "order";

/** Fabric 7's names of the types that a board may contain. */
export type ObjectType =
  | "Path"
  | "Rect"
  | "Circle"
  | "Ellipse"
  | "Triangle"
  | "Line"
  | "Polyline"
  | "Polygon"
  | "IText"
  | "Text"
  | "Textbox"
  | "Image"
  | "Group";

/** A plain JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * One object of the board: Fabric's properties (default values left out), and our own. `left` and `top` are the
 * top-left corner (originX left, originY top), in canvas pixels.
 */
export interface BoardObject {
  readonly type: ObjectType;
  readonly id: ObjectId;
  /** The incarnation: how often the object was restored after a removal; left out when 0. */
  readonly life?: number;
  /** The height in the stack: greater is further up, equal ones are ordered by id. */
  readonly z: number;
  /** The stamps of the property groups; a group that nobody has changed since the object was made has none. */
  readonly stamps?: Readonly<Partial<Record<Group, Stamp>>>;
  readonly left?: number;
  readonly top?: number;
  readonly [property: string]: Json | undefined | Readonly<Partial<Record<Group, Stamp>>>;
}

/**
 * The observed objects of one author, by sequence number, for merging. They are written in one of three ways: `n` is
 * 0..n at incarnation 0; a flat list of inclusive pairs `[from, to, from, to]` at incarnation 0; or a list of runs
 * `[from, to, incarnation]`, incarnation left out when 0. Runs are ascending and do not overlap; an observed
 * incarnation includes the lower ones.
 */
export type ContextRuns = number | readonly number[] | readonly (readonly number[])[];

/** Our part of a drawing; Fabric ignores it. A drawing without it was written by a foreign client. */
export interface DrawingMeta {
  readonly format: 1;
  /** The observed objects of each author: one that is observed and not in `objects` was removed. */
  readonly seen: Readonly<Record<string, ContextRuns>>;
  /** True when the drawing contains only what changed, and `seen` covers only that. */
  readonly partial?: true;
  /** The stamp of the background; left out while nobody has changed it. */
  readonly stamp?: Stamp;
  /** The names of people by base author (see `author-names.ts`). */
  readonly names?: Readonly<Record<string, WrittenName>>;
}

/** The claim who an author is: `person` is the same for all pages of one browser. The greater version wins. */
export type WrittenName = readonly [version: number, person: string, name?: string];

/** A drawing as it is saved and sent: Fabric JSON with our fields. `objects` is in the order of the stack, bottom first. */
export interface Drawing {
  /** The version of Fabric whose defaults the objects are written against. */
  readonly version: string;
  readonly objects: readonly BoardObject[];
  /** The background as a CSS colour. */
  readonly background: string;
  readonly inkpool: DrawingMeta;
}

/** Something in a drawing that the parser left out. */
export interface Fault {
  /** The index of the object in the drawing's `objects`; -1 for the drawing itself. */
  readonly index: number;
  readonly reason: string;
}

/** An object that a tool makes, before it has an id. */
export type NewObject = { readonly type: ObjectType } & {
  readonly [property: string]: Json | undefined;
};

/** A change of one object: its id and the properties with their new values. */
export interface ObjectChange {
  readonly id: ObjectId;
  readonly props: { readonly [property: string]: Json | undefined };
}

/** The changes of a board, object by object. `removed` contains the objects as they last were. */
export interface BoardChanges {
  readonly added: readonly BoardObject[];
  readonly changed: readonly BoardObject[];
  readonly removed: readonly BoardObject[];
  /** The objects of `changed` as they were before, in the same order, where this is known. */
  readonly before?: readonly BoardObject[];
  /** The new background; absent when it did not change. */
  readonly background?: string;
}

/** The edits that a person can make on the board. The page's canvas calls them, and the sync client implements them. */
export interface BoardEditor {
  /** False when the board is full: the person is shown why, and the caller should begin nothing. */
  accepts(count: number): boolean;
  /**
   * Adds objects on top of the stack, in this order; returns them with their ids, or none when the board is full.
   * With `goesOn` they continue the addition before, so that one undo takes back both.
   */
  add(objects: readonly NewObject[], goesOn?: boolean): readonly BoardObject[];
  /**
   * Adds an object and changes it at once: undo takes back the change first and then the object, and peers receive
   * only the changed object. Returns undefined when the board is full.
   */
  addChanged(object: NewObject, props: ObjectChange["props"]): BoardObject | undefined;
  /** Changes properties; unknown ids are ignored (somebody may have removed the object). */
  change(changes: readonly ObjectChange[]): void;
  /** Removes objects; unknown ids are ignored. */
  remove(ids: readonly ObjectId[]): void;
}

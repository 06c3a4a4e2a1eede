/**
 * The drawing as data. A drawing is Fabric JSON, so any Fabric client can open it; what merging
 * needs are a few plain fields that Fabric ignores.
 */

declare const brand: unique symbol;

/** Who made something: one page load. 1 to 24 characters of [a-z0-9]; the first 3 are the day (see `makeAuthor`). */
export type Author = string & { readonly [brand]: "Author" };

/** `<author>-<sequence>`: the author's n-th object, n from 0. For a foreign object the author is a hash of its content. */
export type ObjectId = string & { readonly [brand]: "ObjectId" };

/** How often a group was changed, and by whom last. A greater version wins; then the greater author. */
export type Stamp = readonly [version: number, author: Author];

/** What is settled together when two people change one object at the same time. */
export type Group = "place" | "look" | "content" | "order";

/** Fabric 7's names of the types that a board may hold. */
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
 * One object of the board: Fabric's properties (default values left out), and ours.
 * `left` and `top` are the top-left corner (originX left, originY top), in canvas pixels.
 */
export interface BoardObject {
  readonly type: ObjectType;
  readonly id: ObjectId;
  /** How often it was restored after a removal; left out when 0. */
  readonly life?: number;
  /** Its place in the stack: greater is further up, equal ones by id. */
  readonly z: number;
  /** Left out for a group that nobody changed since the object was made. */
  readonly stamps?: Readonly<Partial<Record<Group, Stamp>>>;
  readonly left?: number;
  readonly top?: number;
  readonly [property: string]: Json | undefined | Readonly<Partial<Record<Group, Stamp>>>;
}

/**
 * What an author's objects have been seen, by sequence number, for merging. Three ways to write the same:
 * `n` is 0..n at incarnation 0; a flat list of inclusive pairs `[from, to, from, to]` at incarnation 0; or a list of runs
 * `[from, to, incarnation]`, incarnation left out when 0. Runs are ascending and do not overlap; a seen incarnation includes the lower ones.
 */
export type ContextRuns = number | readonly number[] | readonly (readonly number[])[];

/** Our part of a drawing; Fabric ignores it. A drawing without it was written by a foreign client. */
export interface DrawingMeta {
  readonly format: 1;
  /** Author to what was ever seen of them: an object that is seen and not in `objects` was removed. */
  readonly seen: Readonly<Record<string, ContextRuns>>;
  /** It holds only what changed, and `seen` covers only that. */
  readonly partial?: true;
  /** Stamp of the background; left out while nobody changed it. */
  readonly stamp?: Stamp;
  /** Base author to the name of the person (see `author-names.ts`). */
  readonly names?: Readonly<Record<string, WrittenName>>;
}

/** Who an author is: `person` is the same for all pages of one browser. A greater version wins. */
export type WrittenName = readonly [version: number, person: string, name?: string];

/** A drawing as it is saved and sent: Fabric JSON with our fields. `objects` is in the order of the stack, bottom first. */
export interface Drawing {
  /** The version of Fabric whose defaults the objects are written against. */
  readonly version: string;
  readonly objects: readonly BoardObject[];
  /** A CSS colour. */
  readonly background: string;
  readonly inkpool: DrawingMeta;
}

/** Something in a drawing that the parser left out. */
export interface Fault {
  /** The object's place in the drawing's `objects`; -1 for the drawing itself. */
  readonly index: number;
  readonly reason: string;
}

/** What a tool makes: an object before it has an id. */
export type NewObject = { readonly type: ObjectType } & {
  readonly [property: string]: Json | undefined;
};

/** A change of one object: the properties that differ now. */
export interface ObjectChange {
  readonly id: ObjectId;
  readonly props: { readonly [property: string]: Json | undefined };
}

/** What happened to a board, object by object. `removed` holds the objects as they last were. */
export interface BoardChanges {
  readonly added: readonly BoardObject[];
  readonly changed: readonly BoardObject[];
  readonly removed: readonly BoardObject[];
  /** The objects of `changed` as they were before, in the same order, where that is known. */
  readonly before?: readonly BoardObject[];
  /** The new background, when it changed. */
  readonly background?: string;
}

/** What a person does to the board. The page's canvas calls it; the sync client implements it. */
export interface BoardEditor {
  /** False when the board is full: the person is shown why, and nothing should be begun. */
  accepts(count: number): boolean;
  /**
   * Adds objects on top of the stack, in this order; returns them with their ids. None when the board is full. `goesOn`
   * is for one part of many, and false for the first: one undo takes back all of them.
   */
  add(objects: readonly NewObject[], goesOn?: boolean): readonly BoardObject[];
  /**
   * Adds an object and changes it at once: undo takes back the change first and then the object, and others get the
   * changed object alone. Undefined when the board is full.
   */
  addChanged(object: NewObject, props: ObjectChange["props"]): BoardObject | undefined;
  /** Changes properties; unknown ids are ignored (somebody may have removed the object). */
  change(changes: readonly ObjectChange[]): void;
  /** Removes objects; unknown ids are ignored. */
  remove(ids: readonly ObjectId[]): void;
}

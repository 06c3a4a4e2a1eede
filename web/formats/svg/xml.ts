/**
 * A reader of XML for drawings, strict and small. It knows the five entities of XML, `&nbsp;` and characters by number,
 * reads no document type, and never fetches anything. So no text can grow by being read. A line break of HTML, `<br>`,
 * need not be closed: Mermaid, and browsers that copy an element of a page, write it so.
 */

export interface XmlElement {
  /** The name without the prefix `svg:`, or without those that `readXml` was given; other prefixes stay. */
  readonly name: string;
  /** The attributes by name; `xlink:href` is `href` where there is no other. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (XmlElement | string)[];
  /** The declarations of style sheets for it, by property. */
  declared?: Record<string, string>;
}

export type ReadXml =
  | { readonly ok: true; readonly root: XmlElement }
  | { readonly ok: false; readonly reason: string };

/** The depth to which elements may be nested. */
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 200_000;

interface Open {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: (XmlElement | string)[];
}

const NAME = /[^\s/>=]+/y;
const ATTRIBUTE = /\s*([^\s=>/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const TAG_END = /\s*(\/?)>/y;

const SVG_PREFIX = /^svg:/;
const BREAK = "br";
const CUT_OFF = "it is cut off";
const MALFORMED = "it is not well-formed";

/** Reads a document. `prefix`: matches the prefixes that are left out of the elements' names. Never throws. */
export function readXml(text: string, prefix = SVG_PREFIX): ReadXml {
  const stack: Open[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("<", at);
    if (open !== at)
      stack.at(-1)?.children.push(decode(text.slice(at, open < 0 ? text.length : open)));
    if (open < 0) break;
    const skipped = skipMarkup(text, open, stack);
    if (skipped !== open) {
      if (skipped < 0) return refuse(CUT_OFF);
      at = skipped;
      continue;
    }
    if (text[open + 1] === "/") {
      const end = text.indexOf(">", open);
      if (end < 0) return refuse(CUT_OFF);
      const name = text.slice(open + 2, end).trim();
      at = end + 1;
      if (name !== BREAK && stack.pop()?.name !== name) return refuse(MALFORMED);
      continue;
    }
    if (root && stack.length === 0) return refuse(MALFORMED);
    const tag = readTag(text, open + 1);
    if (typeof tag === "string") return refuse(tag);
    at = tag.end;
    const element: XmlElement = { ...tag.element, name: tag.element.name.replace(prefix, "") };
    root ??= element;
    stack.at(-1)?.children.push(element);
    if (!tag.empty && tag.element.name !== BREAK) stack.push(tag.element);
    if (stack.length > MAX_DEPTH) return refuse("it is nested too deeply");
    count += 1;
    if (count > MAX_ELEMENTS) return refuse("it has too many objects");
  }
  if (stack.length > 0) return refuse(CUT_OFF);
  return root ? { ok: true, root } : refuse(MALFORMED);
}

function refuse(reason: string): ReadXml {
  return { ok: false, reason };
}

/**
 * Returns the index behind a comment, an instruction, a document type or a section of plain text; `at` for an
 * element, -1 for markup without an end.
 */
function skipMarkup(text: string, at: number, stack: readonly Open[]): number {
  const after = (end: string): number => {
    const found = text.indexOf(end, at);
    return found < 0 ? -1 : found + end.length;
  };
  if (text.startsWith("<!--", at)) return after("-->");
  if (text.startsWith("<?", at)) return after("?>");
  if (text.startsWith("<![CDATA[", at)) {
    const end = after("]]>");
    stack.at(-1)?.children.push(text.slice(at + 9, Math.max(at + 9, end - 3)));
    return end;
  }
  if (!text.startsWith("<!", at)) return at;
  const end = text.indexOf(">", at);
  if (end < 0) return -1;
  const inner = text.slice(at, end).indexOf("[");
  return inner < 0 ? end + 1 : behind(text, /\]\s*>/g, at + inner);
}

function behind(text: string, end: RegExp, from: number): number {
  end.lastIndex = from;
  return end.test(text) ? end.lastIndex : -1;
}

interface Tag {
  readonly element: Open;
  readonly empty: boolean;
  /** The index behind the tag. */
  readonly end: number;
}

/** Reads a tag whose name begins at `at`; returns the reason when it cannot be read. */
function readTag(text: string, at: number): Tag | string {
  NAME.lastIndex = at;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return text.length <= at ? CUT_OFF : MALFORMED;
  const attributes = new Map<string, string>();
  let end = NAME.lastIndex;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const found = ATTRIBUTE.exec(text);
    if (!found) break;
    const [, key = "", double, single = ""] = found;
    const value = decode(double ?? single);
    if (key !== "xlink:href") attributes.set(key, value);
    else if (!attributes.has("href")) attributes.set("href", value);
    end = ATTRIBUTE.lastIndex;
  }
  TAG_END.lastIndex = end;
  const closing = TAG_END.exec(text);
  if (!closing) return text.includes(">", end) ? MALFORMED : CUT_OFF;
  const element = { name, attributes, children: [] };
  return { element, empty: closing[1] === "/", end: TAG_END.lastIndex };
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
]);

/** Decodes entities; the file's own ones are left out. */
function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([\w.-]{1,100}));/gi,
    (_, ten, hex, name) => {
      if (name !== undefined) return ENTITIES.get(String(name)) ?? "";
      const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten);
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : "";
    },
  );
}

/** The elements of a document by id, to which others may refer, and the texts of its style sheets. */
export interface Contents {
  readonly elements: ReadonlyMap<string, XmlElement>;
  readonly sheets: readonly string[];
}

/** Lists what others may refer to. Of equal ids the first one counts. */
export function contentsOf(root: XmlElement): Contents {
  const elements = new Map<string, XmlElement>();
  const sheets: string[] = [];
  const collect = (element: XmlElement): void => {
    const { name, attributes, children } = element;
    const id = attributes.get("id");
    if (id !== undefined && !elements.has(id)) elements.set(id, element);
    if (name === "style")
      sheets.push(children.filter((child) => typeof child === "string").join(""));
    for (const child of children) if (typeof child !== "string") collect(child);
  };
  collect(root);
  return { elements, sheets };
}

/** The number of characters as which a child counts in its element. */
export const CHILD_CHARS = 40;

/** Returns the number of characters of an element, without those of its children. */
export function charsOf({ attributes, children }: XmlElement): number {
  let chars = 0;
  for (const [name, value] of attributes) chars += name.length + value.length;
  for (const child of children) chars += typeof child === "string" ? child.length : CHILD_CHARS;
  return chars;
}

/** Returns the number of characters of an element and of everything inside it. */
export function allCharsOf(element: XmlElement): number {
  let chars = charsOf(element);
  for (const child of element.children) if (typeof child !== "string") chars += allCharsOf(child);
  return chars;
}

/** Greatest number of characters that are read; those of an element to which several others refer count each time. */
export const MAX_READ = 20 * 1024 * 1024;
/** Matches an entity of the file's own, and its value. */
const ENTITY = /<!ENTITY\s+(?:%\s+)?([^\s"'%]+)\s+(?:"([^"]*)"|'([^']*)')/g;
/** Matches a reference to an entity. */
const REFERENCE = /&([^;&\s]+);/g;

/**
 * Returns the text with its own entities in it; null where one contains elements or other entities, where two have one
 * name, where the text would be too long, and where its document type gives attributes values.
 */
export function withEntities(text: string): string | null {
  if (text.includes("<!ATTLIST")) return null;
  const entities = new Map<string, string>();
  for (const [, name = "", double, single = ""] of text.matchAll(ENTITY)) {
    const value = double ?? single;
    if (/[<&%]/.test(value) || (entities.get(name) ?? value) !== value) return null;
    entities.set(name, value);
  }
  if (entities.size === 0) return text;
  let length = text.length;
  for (const [, name = ""] of text.matchAll(REFERENCE)) length += entities.get(name)?.length ?? 0;
  if (length > MAX_READ) return null;
  return text.replaceAll(REFERENCE, (written, name: string) => entities.get(name) ?? written);
}

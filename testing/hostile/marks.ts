/**
 * A hostile input is generated as JSON with marks (`@id:3`, `{"@repeat": 1000}`), so that it stays small, prints well
 * and shrinks; `resolve` inserts values that an attacker has observed by then.
 */

import type { BoardObject, Drawing } from "../../board/drawing.ts";
import { EVENTS } from "../../board/messages.ts";

/** The values that an attacker has read from the network. */
export interface Observation {
  /** Ids of objects. */
  readonly ids: readonly string[];
  readonly objects: readonly Readonly<Record<string, unknown>>[];
  readonly clients: readonly string[];
  readonly messages: readonly HostileMessage[];
  /** Drawings that the row contained, the oldest first. */
  readonly rows: string[];
  /** Notes the content of a message. */
  observe(message: HostileMessage): void;
}

export interface HostileMessage {
  readonly event: string;
  readonly payload: unknown;
}

/** A mutation of one value of a valid input. */
interface Mutation {
  /** The index of the value among all values in order. */
  readonly at: number;
  /** The new value; undefined: the value is left out. */
  readonly value?: unknown;
}

const MAX_VALUES = 2_000;

/** Makes an observation of nothing. */
export function createObservation(): Observation {
  const ids: string[] = [];
  const objects: Record<string, unknown>[] = [];
  const clients: string[] = [];
  const messages: HostileMessage[] = [];
  return {
    ids,
    objects,
    clients,
    messages,
    rows: [],
    observe({ event, payload }) {
      messages.push({ event, payload });
      const { json, clientId } = (payload ?? {}) as { json?: Partial<Drawing>; clientId?: unknown };
      if (event !== EVENTS.update || !Array.isArray(json?.objects)) return;
      if (typeof clientId === "string" && !clients.includes(clientId)) clients.push(clientId);
      for (const object of json.objects as readonly BoardObject[]) {
        if (typeof object?.id !== "string" || ids.includes(object.id)) continue;
        ids.push(object.id);
        objects.push(object as unknown as Record<string, unknown>);
      }
    },
  };
}

/** Replaces the marks of a generated input. Marks of values that were not observed yet become guesses. */
export function resolve(input: unknown, known: Observation): unknown {
  if (typeof input === "string") return resolveText(input, known);
  if (Array.isArray(input)) return input.flatMap((one: unknown) => expand(one, known));
  if (typeof input !== "object" || input === null) return input;
  const marked = input as Readonly<Record<string, unknown>>;
  if ("@deep" in marked) return nested(Number(marked["@deep"]));
  if ("@groups" in marked) return nestedGroups(Number(marked["@groups"]));
  if ("@chars" in marked) return "M0 0l1 1".repeat(Number(marked["@chars"]) / 8);
  if ("@authors" in marked) return manyAuthors(Number(marked["@authors"]));
  if ("@row" in marked) return parse(pick(known.rows, Number(marked["@row"])) ?? "{}");
  if ("@copy" in marked) return plainCopy(known, Number(marked["@copy"]), marked["with"]);
  if ("@mutated" in marked) return mutated(marked, known);
  if ("@proto" in marked) return { ...prototypeKeys(), ...(marked["@proto"] as object) };
  const out: [string, unknown][] = [];
  for (const [name, value] of Object.entries(marked)) {
    if (value !== undefined) out.push([resolveText(name, known), resolve(value, known)]);
  }
  return fromEntries(out);
}

/** Returns a message: one with its marks resolved, or a valid observed one, mutated or cut short. */
export function resolveMessage({ event, payload }: HostileMessage, known: Observation) {
  if (event !== "@observed") return { event, payload: resolve(payload, known) };
  const { of, edits, cut } = payload as { of: number; edits: readonly Mutation[]; cut?: number };
  const message = pick(known.messages, of) ?? { event: EVENTS.update, payload: {} };
  const changed = mutate(message.payload, edits, known);
  if (cut === undefined) return { event: message.event, payload: changed };
  return { event: message.event, payload: (JSON.stringify(changed) ?? "").slice(0, cut) };
}

function resolveText(text: string, known: Observation): string {
  return text.replaceAll(/@(id|author|next|client):(\d+)/g, (_, kind: string, digits: string) => {
    const at = Number(digits);
    if (kind === "client") return pick(known.clients, at) ?? "client000000";
    const id = pick(known.ids, at) ?? `abc-${at}`;
    const [author = "abc"] = id.split("-");
    if (kind === "id") return id;
    if (kind === "author") return author;
    const numbers = known.ids.filter((one) => one.startsWith(`${author}-`)).map(sequence);
    return `${author}-${Math.max(-1, ...numbers) + 1 + (at % 3)}`;
  });
}

function sequence(id: string): number {
  return Number(id.slice(id.indexOf("-") + 1));
}

function expand(item: unknown, known: Observation): unknown[] {
  const marked = item as { "@repeat"?: number; of?: unknown } | null;
  if (typeof marked !== "object" || marked?.["@repeat"] === undefined)
    return [resolve(item, known)];
  const of = resolve(marked.of, known) as object;
  return Array.from({ length: marked["@repeat"] }, (_, at) => ({ ...of, id: `rep-${at}`, z: at }));
}

/** Returns nested lists. */
function nested(depth: number): unknown {
  return JSON.parse("[".repeat(depth) + "]".repeat(depth));
}

function nestedGroups(depth: number): unknown {
  let inner: unknown = { type: "Rect", width: 5, height: 5 };
  for (let at = 0; at < depth; at++)
    inner = { type: "Group", objects: [inner, inner].slice(at % 2) };
  return inner;
}

function manyAuthors(count: number): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`a${at.toString(36)}`, [at, at + 2, 9 + at, 9 + at]]),
  );
}

/** Returns an object as a client writes it that does not know our fields. */
function plainCopy(known: Observation, at: number, changes: unknown): unknown {
  const {
    id: _id,
    z: _z,
    stamps: _stamps,
    life: _life,
    ...rest
  } = pick(known.objects, at) ?? {
    type: "Rect",
  };
  return { ...rest, ...(resolve(changes, known) as object | undefined) };
}

function mutated(marked: Readonly<Record<string, unknown>>, known: Observation): unknown {
  const row = pick(known.rows, Number(marked["@mutated"])) ?? '{"objects":[]}';
  return mutate(parse(row), marked["edits"] as readonly Mutation[], known);
}

function mutate(valid: unknown, edits: readonly Mutation[], known: Observation): unknown {
  const root = { root: structuredClone(valid) };
  for (const { at, value } of edits) {
    const properties = propertiesOf(root);
    if (properties.length === 0) break;
    const [owner, name] = properties[at % properties.length] as [Record<string, unknown>, string];
    if (value === undefined) delete owner[name];
    else owner[name] = resolve(value, known);
  }
  return root.root;
}

/** Returns the position of each value that is inside another one. */
function propertiesOf(root: object): [object, string][] {
  const properties: [object, string][] = [];
  const waiting: object[] = [root];
  for (let owner = waiting.pop(); owner && properties.length < MAX_VALUES; owner = waiting.pop()) {
    for (const [name, value] of Object.entries(owner)) {
      properties.push([owner, name]);
      if (typeof value === "object" && value !== null) waiting.push(value as object);
    }
  }
  return properties;
}

/** Returns an object whose own keys are names of prototypes, as `JSON.parse` makes them. */
function prototypeKeys(): object {
  return fromEntries([
    ["__proto__", { polluted: true, objects: [] }],
    ["constructor", { prototype: { polluted: true } }],
    ["hasOwnProperty", 1],
    ["toString", null],
  ]);
}

/** Returns an object with these own properties, whatever their names are; null stands for undefined, as in a list of JSON. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? null]));
}

function pick<T>(items: readonly T[], at: number): T | undefined {
  return items.length === 0 ? undefined : items[at % items.length];
}

function parse(text: string): unknown {
  return JSON.parse(text);
}

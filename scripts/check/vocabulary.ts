/**
 * The words that are not used in this repository, each with its replacement: one word for each thing (SPEC.md opens
 * with those that are used).
 */

/**
 * The scope of a forbidden word: "names" are file names and declared names; "prose" adds comments, titles of tests
 * and documents; "everywhere" adds every text.
 */
export type Scope = "names" | "prose" | "everywhere";

/**
 * The words by scope. Forms are in lower case, separated by bars; a form of several words is also found in camelCase.
 * A row with a pattern allows them in the files it matches, where the word has its one meaning.
 */
export const WORDS: Readonly<
  Record<Scope, readonly (readonly [forms: string, instead: string, except?: RegExp])[]>
> = {
  everywhere: [
    ["hearing|hearings", "receiver"],
    ["dealings", "peers"],
    ["diary", "journal"],
    ["courier|parcel|parcels", "body of a request"],
    ["outliving", "keepalive, service worker"],
    ["last words", "unload save"],
    ["persona|personas", "peer identity"],
    ["manners", "adjectives"],
    ["glide|glides", "interpolation"],
    ["worn", "exhausted"],
    ["lifted", "detached"],
    ["dice", "random"],
    ["weather", "network conditions"],
    ["seat|seats", "participant"],
    ["browser parts", "browser environment"],
    ["memory room", "fake sync client"],
    ["list canvas", "fake canvas"],
  ],
  prose: [
    ["room|rooms", "sync client, board; topic in the server; space"],
    ["world|worlds", "environment; test bed"],
    ["company", "peers; presence"],
    ["agreement", "anti-entropy"],
    ["patient|patiently", "say what it does"],
    ["guest|guests", "Fabric object"],
    ["wet", "active stroke"],
    ["lane|lanes", "serial queue"],
    ["lift|lifts", "detach"],
    ["house", "folders; product"],
    ["door|doors", "parser"],
    ["storm|storms", "chaos run"],
    ["mend|mends|mended", "restore"],
    ["doings", "activity"],
    ["hear|hears|heard", "receive"],
    ["told", "notified; send; say what exactly"],
    ["in the hand", "dragged"],
    ["desk|desks", "canvas harness"],
  ],
  names: [
    [
      "slot|slots",
      "lazy component; ref; index; permit. A slot is a length of time of the history",
      /^server\/storage\/|^supabase\//,
    ],
    ["kept", "stored, retained, cached; what it is"],
    ["later", "startTimer; say what it is"],
    ["others", "peers"],
    ["inbox", "receiver"],
    ["late", "lazy"],
    ["past", "undo stack"],
    ["seen", "causal context; visited"],
    ["life", "incarnation"],
    ["standard|standards", "default"],
    ["hand|hands", "interaction"],
    ["holds", "contains; isDragging"],
    ["dry", "backdrop"],
    ["sheet", "overlay canvas"],
    ["stage", "canvas binding; selection layer"],
    ["place|places", "position, transform, index, location"],
    ["most", "max"],
    ["least", "min"],
    ["chance", "randomness, probability"],
    ["tell|tells|news", "notify, send"],
    ["moment", "revision"],
    ["hurry", "save now"],
    ["poke", "schedule"],
    ["sweep", "remove"],
    [
      "turn|turns",
      "save rota; fair queue; pass; round. A turn is a rotation",
      /^web\/(?:canvas|formats|ui)\/|^testing\/strokes\//,
    ],
    ["kept store|kept drawing|kept slot|keep drawing", "device copy"],
    ["writable store|use store|create store", "signal"],
  ],
};

/**
 * Names of properties that stay whatever the list says, where the name is the whole key and not a
 * part of one: others rely on them.
 */
export const ALLOWED_KEYS: Readonly<Record<string, string>> = {
  seen: "the wire's name of the causal context",
  life: "the wire's name of the incarnation",
  place: "a property group's name, stored with each object",
};

/** Texts that stay, each with its reason. */
export const ALLOWED_TEXTS: readonly (readonly [text: RegExp, reason: string])[] = [
  [/canvas-room/g, "the channel's name, which every client knows"],
  [/REALTIME_ROOM_[A-Z]+/g, "settings, which operators have in their environment"],
  [/\bat(?:Most|Least)\b/g, "bounds that a caller gives"],
  [/inkpool_realtime_rooms/g, "a metric's name, which operators have in their dashboards"],
];

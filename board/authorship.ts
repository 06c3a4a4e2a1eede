/** Finds the objects of a board that each page load made. */

import { authorOf, baseAuthor } from "./author.ts";
import { stackedObjects, type Board } from "./board.ts";
import type { Author, BoardObject, ObjectId } from "./drawing.ts";
import { isVisible } from "./losses.ts";

/** The objects that one author has on the board. */
export interface AuthorShare {
  /** The base name (see `baseAuthor`); null for all objects that plain clients made. */
  readonly author: Author | null;
  /** Ids of the author's objects, bottom first. */
  readonly ids: readonly ObjectId[];
  /** The number of these objects that cannot be seen: invisible, transparent, or far away. */
  readonly hidden: number;
  /** Characters of the objects' JSON. */
  readonly chars: number;
  /** The objects' colours, the most frequent one first; at most 5. */
  readonly colors: readonly string[];
}

interface Collecting {
  readonly ids: ObjectId[];
  hidden: number;
  chars: number;
  readonly colors: Map<string, number>;
}

const MAX_COLORS = 5;

/** The shares of all authors, the one with the most characters first, with a pause after each `size` objects. */
export function* authorShares(board: Board, size = 500): Generator<void, AuthorShare[]> {
  const shares = new Map<Author | null, Collecting>();
  let count = 0;
  for (const object of stackedObjects(board)) {
    count += 1;
    if (count % size === 0) yield;
    addTo(shares, object);
  }
  return [...shares]
    .map(([author, { ids, hidden, chars, colors }]) => ({
      ...{ author, ids, hidden, chars },
      colors: [...colors]
        .sort((a, b) => b[1] - a[1])
        .map(([color]) => color)
        .slice(0, MAX_COLORS),
    }))
    .sort((a, b) => b.chars - a.chars);
}

function addTo(shares: Map<Author | null, Collecting>, object: BoardObject): void {
  const author = baseAuthor(authorOf(object.id));
  let share = shares.get(author);
  if (share === undefined) {
    share = { ids: [], hidden: 0, chars: 0, colors: new Map() };
    shares.set(author, share);
  }
  share.ids.push(object.id);
  share.chars += JSON.stringify(object).length;
  if (!isVisible(object)) share.hidden += 1;
  const color = object["stroke"] ?? object["fill"];
  if (typeof color === "string" && color !== "") {
    share.colors.set(color, (share.colors.get(color) ?? 0) + 1);
  }
}

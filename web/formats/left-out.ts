/** What of a file does not come onto the board, counted by its kind, and said in one sentence for each. */

/** One, several, and why. */
const KINDS = {
  picture: ["picture", "pictures", "pictures can be added as files of their own"],
  frame: ["frame", "frames", "frames can't be added, what is in them can"],
  page: ["embedded page", "embedded pages", "only what is drawn can be added"],
  script: ["script", "scripts", "nothing in a file is ever run"],
  effect: ["clip, mask or filter", "clips, masks and filters", "the objects come without them"],
  reference: ["reference", "references", "what it shows is not in the file, or shows itself"],
  unknown: ["object", "objects", "of a kind that the board does not have"],
  value: ["object", "objects", "with values that cannot be read"],
} as const;

export type LeftOutKind = keyof typeof KINDS;

/** How many of each kind. */
export type LeftOut = Partial<Record<LeftOutKind, number>>;

/** Counts so many more of a kind. */
export function leaveOut(leftOut: LeftOut, kind: LeftOutKind, count = 1): void {
  if (count > 0) leftOut[kind] = (leftOut[kind] ?? 0) + count;
}

/** One sentence for each kind, such as "3 pictures: pictures can be added as files of their own.". */
export function leftOutSentences(leftOut: LeftOut): string[] {
  return Object.entries(leftOut).map(([kind, count]) => {
    const [one, several, why] = KINDS[kind as LeftOutKind];
    return `${count.toLocaleString("en")} ${count === 1 ? one : several}: ${why}.`;
  });
}

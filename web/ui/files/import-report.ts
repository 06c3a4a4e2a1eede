/** Reports the result of importing a drawing, in the words of a dialog. */

import { safeLine } from "../../../board/presence.ts";
import type { LeftOut, LeftOutKind } from "../../formats/left-out.ts";
import { plural, t, translate } from "../language/text.ts";
import type { ImportReport } from "./work.ts";

/** A file or a paste that was refused. */
export interface Refused {
  /** The name of the file; null for pasted text. */
  readonly name: string | null;
  /** The reason as a clause, such as "it is empty". */
  readonly reason: string;
}

/** Returns the report of what was refused, at least one of so many files; the board stays as it was. */
export function refusedReport(refused: readonly Refused[], files: number): ImportReport {
  const sentences = new Set(
    refused.map(({ name, reason }) => {
      const clause = translate(reason);
      return name === null
        ? t("What was pasted cannot be added: {reason}.", { reason: clause })
        : t("{name} cannot be added: {reason}.", { name: safeLine(name), reason: clause });
    }),
  );
  const title = refused.length < files ? t("Not everything was added") : t("Nothing was added");
  const [text = "", ...more] = sentences;
  return more.length > 0
    ? { title, text: "", sentences: [text, ...more] }
    : { title, text, sentences: [] };
}

/** Returns the report of an import of which a part was left out. `name`: of the file, null for pasted text. */
export function partialReport(name: string | null, added: number, leftOut: LeftOut): ImportReport {
  return {
    title:
      added > 0 ? plural(added, "1 object added", "{count} objects added") : t("Nothing was added"),
    text:
      name === null
        ? t("Some of what was pasted could not be added:")
        : t("Some of {name} could not be added:", { name: safeLine(name) }),
    sentences: leftOutSentences(leftOut),
  };
}

/** Returns the notice of an import of which nothing was left out. `name`: of the file. */
export function addedNotice(count: number, name: string): string {
  return plural(count, "1 object added from {name}.", "{count} objects added from {name}.", {
    name: safeLine(name),
  });
}

/** The sentences about things that were left out, by kind, with the reason. */
const SENTENCES: Readonly<Record<LeftOutKind, (count: number) => string>> = {
  picture: (count) =>
    plural(
      count,
      "1 picture: pictures can be added as files of their own.",
      "{count} pictures: pictures can be added as files of their own.",
    ),
  frame: (count) =>
    plural(
      count,
      "1 frame: frames can't be added, what is in them can.",
      "{count} frames: frames can't be added, what is in them can.",
    ),
  page: (count) =>
    plural(
      count,
      "1 embedded page: only what is drawn can be added.",
      "{count} embedded pages: only what is drawn can be added.",
    ),
  script: (count) =>
    plural(
      count,
      "1 script: nothing in a file is ever run.",
      "{count} scripts: nothing in a file is ever run.",
    ),
  effect: (count) =>
    plural(
      count,
      "1 clip, mask or filter: the objects come without them.",
      "{count} clips, masks and filters: the objects come without them.",
    ),
  look: (count) =>
    plural(
      count,
      "1 part: the board shows it differently.",
      "{count} parts: the board shows them differently.",
    ),
  reference: (count) =>
    plural(
      count,
      "1 reference: what it shows is not in the file, or shows itself.",
      "{count} references: what it shows is not in the file, or shows itself.",
    ),
  unknown: (count) =>
    plural(
      count,
      "1 object: of a kind that the board does not have.",
      "{count} objects: of a kind that the board does not have.",
    ),
  value: (count) =>
    plural(
      count,
      "1 object: with values that cannot be read.",
      "{count} objects: with values that cannot be read.",
    ),
};

/** Returns one sentence for each kind, such as "3 pictures: pictures can be added as files of their own.". */
export function leftOutSentences(leftOut: LeftOut): string[] {
  return Object.entries(leftOut).map(([kind, count]) => SENTENCES[kind as LeftOutKind](count));
}

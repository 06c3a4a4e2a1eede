/** What came of a drawing from outside, in the words of a dialog. */

import { type LeftOut, leftOutSentences } from "../../formats/left-out.ts";
import type { ImportReport } from "./work.ts";

const NOTHING = "Nothing was added";

/** "1 object", "2,000 objects". */
export function countOf(objects: number): string {
  return objects === 1 ? "1 object" : `${objects.toLocaleString("en")} objects`;
}

/** The board stays as it was. `name`: of the file; `reason`: a clause, such as "it is empty". */
export function refusedReport(name: string, reason: string): ImportReport {
  return { title: NOTHING, text: `${name} cannot be added: ${reason}.`, sentences: [] };
}

/** So many objects came, and some did not. */
export function partialReport(name: string, added: number, leftOut: LeftOut): ImportReport {
  return {
    title: added > 0 ? `${countOf(added)} added` : NOTHING,
    text: `This of ${name} could not be added:`,
    sentences: leftOutSentences(leftOut),
  };
}

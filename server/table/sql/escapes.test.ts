import fc from "fast-check";
import { expect, test } from "vitest";
import { hasUnstorableEscape } from "./escapes.ts";

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

/** Returns the strings and keys that JSON.parse makes of a text, one after the other. */
function stored(value: unknown): string {
  if (typeof value === "string") return `${value}|`;
  if (typeof value !== "object" || value === null) return "|";
  return Object.entries(value)
    .map(([key, one]) => `${key}|${stored(one)}`)
    .join("");
}

test("TAB-16 an escape counts as unstorable exactly when the text has a NUL or half a surrogate pair", () => {
  const piece = fc.constantFrom(
    ...["\\\\", "\\n", '\\"', "\\u0000", "\\u00e9", "\\ud83c", "\\uD83C", "\\udfa8", "\\uDFA8"],
    ...["u", "0000", "d83c", "é", "🎨", " "],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.array(piece, { maxLength: 4 }), (a, b) => {
      const text = `{"k${b.join("")}":["${a.join("")}",1]}`;
      const whole = stored(JSON.parse(text));
      const bad = whole.includes("\0") || /\p{Surrogate}/u.test(whole);
      expect([text, hasUnstorableEscape(bytesOf(text))]).toEqual([text, bad]);
    }),
    { numRuns: 2000, seed: 20_260_102 },
  );
});

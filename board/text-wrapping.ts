/** Where the lines of a text may wrap. */

/** Scripts that are written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** True for words that wrap between any two letters. */
export function wrapsAnywhere(words: string): boolean {
  return UNSPACED.test(words);
}

/** Splits the texts of query parameters: commas count only outside of quotes and brackets. */

/** Returns the parts of `a,b(c,d),"e,f"`, with quotes and brackets; null when these are not closed. */
export function splitList(text: string): readonly string[] | null {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
    if (depth < 0) return null;
  }
  if (quoted || depth > 0) return null;
  parts.push(text.slice(start));
  return parts;
}

/** Returns `"a\"b"` as `a"b`; a text without quotes is returned unchanged. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/gs, "$1");
}

/** Returns the text between the brackets of `(...)`, or null when there are none. */
export function inBrackets(text: string): string | null {
  return text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1) : null;
}

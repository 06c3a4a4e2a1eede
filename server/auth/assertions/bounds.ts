/**
 * Bounds the XML that a stranger sends. They are checked in one pass before any parser sees the text, since the
 * library's XPath takes time with the square of the siblings.
 */

/** Sizes that fit the responses of identity providers with a hundred groups for a person. */
export const XML_BOUNDS = {
  bytes: 128 * 1024,
  elements: 2_000,
  /** Greatest number of elements of one parent. */
  siblings: 1_000,
  depth: 32,
  /** Greatest number of attributes of one element. */
  attributes: 64,
} as const;

const DECLARATION = /^\uFEFF?\s*<\?xml\s[^<>]*\?>/;
const OPENING = /<[^\s<>/="'!?]+((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const CLOSING = /<\/[^\s<>/="']+\s*>/y;

/**
 * Returns the fault of a text; undefined when it is one element within the bounds. Comments, processing instructions,
 * CDATA and document types are refused: no identity provider needs them, and signatures do not cover comments.
 */
export function xmlFault(xml: string): string | undefined {
  if (Buffer.byteLength(xml) > XML_BOUNDS.bytes) return "too many bytes";
  const text = xml.replace(DECLARATION, "");
  if (/<[!?]/.test(text)) return "more than elements and text";
  /** The number of elements in each open element so far; the first count is that of the document. */
  const open = [0];
  let elements = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    if (matchAt(CLOSING, text, at) !== null) {
      open.pop();
      if (open.length === 0) return "an end without a beginning";
      continue;
    }
    const tag = matchAt(OPENING, text, at);
    if (tag === null) return "not well formed";
    if (++elements > XML_BOUNDS.elements) return "too many elements";
    const siblings = (open.at(-1) ?? 0) + 1;
    if (siblings > XML_BOUNDS.siblings) return "too many elements beside each other";
    open[open.length - 1] = siblings;
    if ((tag[1]?.match(/=\s*["']/g)?.length ?? 0) > XML_BOUNDS.attributes)
      return "too many attributes";
    if (tag[2] === "/") continue;
    open.push(0);
    if (open.length > XML_BOUNDS.depth + 1) return "too deep";
  }
  return open.length === 1 && open[0] === 1 ? undefined : "not one element";
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

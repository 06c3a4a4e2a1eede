/** The functions of CSS that stand for another value: `var()` and `light-dark()`. */

type Values = Readonly<Record<string, string>>;

/** Matches a value with such a function in it. */
export const CALL = /\b(var|light-dark)\(/i;
/** Greatest number of functions in one value, and of characters that they may make of it. */
const MAX_CALLS = 20;
const MAX_LENGTH = 500;

/**
 * Returns a value with the custom properties that it names, or what it names in place of them, and with its colours for
 * a light screen; undefined where there are none.
 */
export function resolved(value: string, properties: Values): string | undefined {
  let text = value;
  for (let count = 0; count < MAX_CALLS && text.length <= MAX_LENGTH; count++) {
    const call = CALL.exec(text);
    if (!call) return text;
    const start = call.index + call[0].length;
    const { comma, end } = argumentsFrom(text, start);
    const first = text.slice(start, comma).trim();
    const other = comma < end ? text.slice(comma + 1, end) : undefined;
    const isVariable = call[0].toLowerCase() === "var(";
    const found = !isVariable
      ? first
      : Object.hasOwn(properties, first)
        ? properties[first]
        : other;
    if (found === undefined) return undefined;
    text = text.slice(0, call.index) + found.trim() + text.slice(end + 1);
  }
  return undefined;
}

/** Returns the indexes of the first comma and of the closing bracket; the comma's is that of the bracket without one. */
function argumentsFrom(text: string, start: number) {
  let [depth, comma] = [0, text.length];
  for (let end = start; end < text.length; end++) {
    if (text[end] === "(") depth += 1;
    else if (text[end] === "," && depth === 0) comma = Math.min(comma, end);
    else if (text[end] === ")" && --depth < 0) return { comma: Math.min(comma, end), end };
  }
  return { comma, end: text.length };
}

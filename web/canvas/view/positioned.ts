/**
 * Makes an element at the corner of its parent, with further styles. The layers of `host.ts` do without it, so that it is
 * no part of the first load.
 */
export function makePositioned<K extends "canvas" | "div">(
  name: K,
  styles?: Readonly<Record<string, string>>,
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  Object.assign(element.style, { position: "absolute", left: "0", top: "0", ...styles });
  return element;
}

/** Names an object for screen readers, the list of objects, and sentences about changes. */

import { describeObject, type ObjectDescription } from "../../../board/object-name.ts";
import type { BoardObject } from "../../../board/drawing.ts";
import { languageTag, plural, t, translate } from "./text.ts";

/**
 * Returns a name such as `Text "Good morning"`, `Sticker rainbow`, `Red rectangle, 150 by 100` and `Teal stroke`. It
 * is on one line, without control characters.
 */
export function objectName(object: BoardObject): string {
  return nameOf(describeObject(object));
}

/** Returns the name for the middle of a sentence. Only English writes it in lower case there. */
export function objectPhrase(object: BoardObject): string {
  const name = objectName(object);
  return isEnglish() ? `${name.charAt(0).toLowerCase()}${name.slice(1)}` : name;
}

function nameOf(object: ObjectDescription): string {
  switch (object.kind) {
    case "eraser":
      return t("Eraser stroke");
    case "text":
      return object.text === "" ? t("Text") : t('Text "{text}"', { text: object.text });
    case "picture":
      return object.text === "" ? t("Picture") : t('Picture "{text}"', { text: object.text });
    case "sticker":
      return t("Sticker {name}", { name: translate(object.sticker) });
    case "group":
      return plural(object.count, "Group of 1 object", "Group of {count} objects");
    case "shape":
      return shapeName(object);
  }
}

function shapeName({ color, shape, size }: Extract<ObjectDescription, { kind: "shape" }>): string {
  const name = translate(shape);
  const colour = translate(color);
  const words =
    color === ""
      ? name
      : t("{colour} {shape}", { colour: isEnglish() ? colour.toLowerCase() : colour, shape: name });
  const capital = `${words.charAt(0).toLocaleUpperCase(languageTag())}${words.slice(1)}`;
  if (!size) return capital;
  const [width, height] = [String(size.width), String(size.height)];
  return t("{shape}, {width} by {height}", { shape: capital, width, height });
}

function isEnglish(): boolean {
  return languageTag().startsWith("en");
}

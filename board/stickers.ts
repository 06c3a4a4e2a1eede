/** The stickers, apart from the other constants, since their panel is not part of the first load. */

/** The twenty stickers; `name` is the emoji's Unicode (CLDR short) name. */
export const STICKERS: readonly { readonly emoji: string; readonly name: string }[] = [
  { emoji: "😀", name: "grinning face" },
  { emoji: "😂", name: "face with tears of joy" },
  { emoji: "😍", name: "smiling face with heart-eyes" },
  { emoji: "😎", name: "smiling face with sunglasses" },
  { emoji: "🤔", name: "thinking face" },
  { emoji: "😢", name: "crying face" },
  { emoji: "👍", name: "thumbs up" },
  { emoji: "👎", name: "thumbs down" },
  { emoji: "👏", name: "clapping hands" },
  { emoji: "🙌", name: "raising hands" },
  { emoji: "🎉", name: "party popper" },
  { emoji: "🎨", name: "artist palette" },
  { emoji: "🔥", name: "fire" },
  { emoji: "⭐", name: "star" },
  { emoji: "💡", name: "light bulb" },
  { emoji: "✅", name: "check mark button" },
  { emoji: "🚀", name: "rocket" },
  { emoji: "🌈", name: "rainbow" },
  { emoji: "💖", name: "sparkling heart" },
  { emoji: "🐱", name: "cat face" },
];

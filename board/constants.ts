/**
 * Every number and every text that the product promises, in one table; the stickers are in stickers.ts, the letter
 * sizes in text-sizes.ts. SPEC.md repeats them for readers, and a test compares the two.
 */

/** Sizes in CSS pixels, times in milliseconds, `canvasBytes` in UTF-8 bytes of serialized JSON. */
export const LIMITS = {
  canvasBytes: 10 * 1024 * 1024,
  saveDebounce: 5000,
  broadcastThrottle: 1000,
  headerHeight: 80,
  brushWidth: 3,
  eraserWidth: 20,
  rectangleWidth: 150,
  rectangleHeight: 100,
  circleRadius: 75,
  stickerSize: 60,
  textSize: 24,
  insertLeft: 100,
  insertTop: 100,
} as const;

/** The highlighter's ink, through which everything below it stays readable; the width is in canvas pixels. */
export const HIGHLIGHTER = { width: 20, opacity: 0.4, composite: "multiply" } as const;

export const DEFAULT_PRODUCT_NAME = "Inkpool";
export const TAGLINE = "Draw together in real-time";
export const BACKGROUND = "white";
export const ERASER_COLOR = "white";
export const STICKER_FONT = "Arial";
export const TEXT_FONT = "Arial";
export const CHANNEL = "canvas-room";
export const TABLE = "canvas_state";
export const HISTORY_TABLE = "canvas_history";
export const SETTINGS_TABLE = "canvas_settings";
export const SIZE_CHECK = "canvas_json_size_check";

export const TEXTS = {
  cleared: "Canvas cleared!",
  tooLargeToSave: "Canvas is too large to save. Please clear some content.",
  saveFailed: "Failed to save canvas. Please try again.",
  cannotSave: (reason: string) => `Cannot save: ${reason}`,
  invalidStructure: "Invalid canvas data structure",
  dataTooLarge: (megabytes: string) => `Canvas data too large (${megabytes}MB). Maximum is 10MB.`,
  missingObjects: "Canvas data missing required objects array",
  validationFailed: "Failed to validate canvas data",
  locked: "The host has locked the board",
  takenBack: "The host has taken back what you did",
  notFoundTitle: "404",
  notFound: "Oops! Page not found",
  returnHome: "Return to Home",
  usersOnline: (count: number) => (count === 1 ? "1 user online" : `${count} users online`),
} as const;

/** The twelve preset colours, in the order of the picker. */
export const COLORS: readonly { readonly name: string; readonly value: string }[] = [
  { name: "Black", value: "#000000" },
  { name: "Red", value: "#ff0000" },
  { name: "Teal", value: "#4ecdc4" },
  { name: "Blue", value: "#45b7d1" },
  { name: "Salmon", value: "#ffa07a" },
  { name: "Mint", value: "#98d8c8" },
  { name: "Yellow", value: "#f7dc6f" },
  { name: "Green", value: "#2ecc71" },
  { name: "Purple", value: "#9b59b6" },
  { name: "Pink", value: "#ff69b4" },
  { name: "Orange", value: "#f39c12" },
  { name: "White", value: "#ffffff" },
];

export const DEFAULT_COLOR = "#000000";

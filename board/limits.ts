/**
 * The limits of a drawing. The parser, the editor and the check before a save share this table, so that whatever can
 * be written can be read. The limit in bytes is `LIMITS.canvasBytes` of constants.ts.
 */

/** Objects of a drawing, including those inside groups. */
export const MAX_OBJECTS = 100_000;
/** Depth to which groups, clip paths and paths of texts may be nested. */
export const MAX_DEPTH = 8;
/** Greatest absolute value of a board coordinate. */
export const MAX_COORDINATE = 1e7;
export const MAX_SIZE = 1e6;
/** Characters of a text. */
export const MAX_TEXT = 10_000;
export const MAX_PATH_CHARS = 500_000;
export const MAX_POINTS = 50_000;
/** Styled ranges or characters of one text. */
export const MAX_STYLES = 10_000;
/** Characters of a picture's source: 300 x 1,024 bytes in base64, and the prefix with their type. */
export const MAX_SOURCE = (300 * 1024 * 4) / 3 + 32;
/** Pixels on each side of a picture. */
export const MAX_PICTURE_SIDE = 4096;
/** Greatest absolute z of an object; any other value counts as 0. */
export const MAX_Z = 2 ** 40;
/** Pixels of a shadow's blur, with which the cost of painting grows. A larger blur is reduced to this. */
export const MAX_BLUR = 50;
/** The greatest sequence number, version and incarnation. */
export const MAX_COUNT = 2 ** 31 - 1;
/** Runs of a causal context from outside. A longer context is ignored, so it removes nothing. */
export const MAX_RUNS = 100_000;
/** Authors in the table of names. */
export const MAX_NAMES = 2_000;
/** Authors without living objects that a saved context remembers. */
export const MAX_IDLE_AUTHORS = 2_000;
/** Runs that a saved context remembers beyond those of living objects: about 300 KB. */
export const MAX_SAVED_RUNS = 20_000;

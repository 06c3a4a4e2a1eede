/**
 * Classes by which a reader of an SVG file of this page finds what would not be an object of its own: the white
 * background, which every board has, and strokes of the eraser, which nobody can select.
 */
export const SVG_MARKS = { background: "inkpool-background", eraser: "inkpool-eraser" } as const;

/** Contrast as WCAG 2.2 defines it (relative luminance of sRGB, and the ratio of two of them). */

/** The contrast of two colours given as #rrggbb: 1 (the same) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever is more legible on a colour given as #rrggbb. */
export function inkOn(color: string): "#000000" | "#ffffff" {
  // The two contrasts are equal where (luminance + 0.05)² = 1.05 · 0.05.
  return (luminance(color) + 0.05) ** 2 >= 0.0525 ? "#000000" : "#ffffff";
}

function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

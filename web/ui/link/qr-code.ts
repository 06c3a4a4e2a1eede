import { encode } from "uqr";

/** Modules around the code that must stay white. */
export const QUIET_ZONE = 4;

/**
 * Returns the dark modules of a QR code as SVG path data, one unit each, and the number of modules on a side. Null
 * for a link that is too long.
 */
export function qrPath(link: string): { readonly path: string; readonly size: number } | null {
  const code = encoded(link);
  if (!code) return null;
  const { data, size } = code;
  let path = "";
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const start = column;
      while (column < size && data[row]?.[column]) column += 1;
      if (column > start) path += `M${start} ${row}h${column - start}v1H${start}z`;
    }
  }
  return { path, size };
}

function encoded(link: string): ReturnType<typeof encode> | null {
  try {
    return encode(link, { ecc: "M", border: 0 });
  } catch {
    return null;
  }
}

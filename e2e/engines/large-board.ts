/** A board of many rectangles, each of a different colour, and the check whether a picture shows each of them. */

const COLUMNS = 40;
const ROWS = 30;
/** Pixels of the board between the rectangles, and of one rectangle. */
const CELL = 44;
const SIZE = 24;
/** Empty pixels around the picture, and its scale relative to the board. */
const MARGIN = 20;
const SCALE = 2;

function colourOf(row: number, column: number): string {
  const hex = [40 + row * 5, 40 + column * 4, 100].map((byte) => byte.toString(16));
  return `#${hex.join("")}`;
}

function cells<T>(make: (row: number, column: number) => T): readonly T[] {
  return Array.from({ length: ROWS * COLUMNS }, (_, at) =>
    make(Math.floor(at / COLUMNS), at % COLUMNS),
  );
}

/** Returns a drawing of 1,200 small rectangles, as a plain Fabric client saves it. */
export function largeBoard(): object {
  const objects = cells((row, column) => ({
    type: "Rect",
    version: "7.4.0",
    left: column * CELL,
    top: row * CELL,
    originX: "left",
    originY: "top",
    width: SIZE,
    height: SIZE,
    fill: colourOf(row, column),
    strokeWidth: 0,
  }));
  return { version: "7.4.0", objects, background: "white" };
}

/** Returns the middle of each rectangle in the picture of the board, and its colour. */
export function expectedPixels(): readonly (readonly [x: number, y: number, colour: string])[] {
  const start = MARGIN + SIZE / 2;
  return cells((row, column) => [
    (start + column * CELL) * SCALE,
    (start + row * CELL) * SCALE,
    colourOf(row, column),
  ]);
}

/** Keeps the next file that the page hands to the browser instead of handing it; runs in the page. */
export function storeNextFile(): void {
  const make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (file) => {
    Object.assign(window, { savedFile: file });
    return make(file);
  };
  HTMLAnchorElement.prototype.click = () => undefined;
}

/**
 * Returns the number of pixels in the stored picture whose colour is not the expected one, and the picture's size;
 * null before there is one. Runs in the page.
 */
export async function wrongPixels(
  expected: readonly (readonly [x: number, y: number, colour: string])[],
): Promise<{ readonly size: readonly number[]; readonly wrong: readonly string[] } | null> {
  const { savedFile } = window as { savedFile?: Blob };
  if (savedFile === undefined) return null;
  const picture = await createImageBitmap(savedFile);
  const { width, height } = picture;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(picture, 0, 0);
  const wrong = expected.flatMap(([x, y, colour]) => {
    const bytes = [...(context?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3);
    const found = `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
    return found === colour ? [] : [`${x},${y}: ${found}, not ${colour}`];
  });
  return { size: [width, height], wrong: wrong.slice(0, 20) };
}

/** What the runner drives on every page that is measured. */

/** A stroke as the runner hands it over. */
export interface BenchStroke {
  readonly id: string;
  /** Flat: x0, y0, x1, y1 ... in canvas pixels. */
  readonly points: readonly number[];
  /** #rrggbb */
  readonly color: string;
}

export interface Subject {
  readonly name: string;
  /** Shows a whole board; resolves when it is painted. */
  load(strokes: readonly BenchStroke[]): Promise<void>;
  /** Somebody else's finished stroke arrives. */
  remoteStroke(stroke: BenchStroke): void;
  setTool(tool: "draw" | "select"): void;
  /** How many objects the page holds. */
  count(): number;
}

declare global {
  interface Window {
    subject?: Subject;
  }
}

/** Resolves after the next frame was painted. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 0));
  });
}

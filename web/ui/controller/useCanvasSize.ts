import { useLayoutEffect, useState } from "react";
import { HEADER_HEIGHT } from "../page/embed.ts";

/** The size of the canvas in CSS pixels. */
export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the window's width by its height minus the header; at least one pixel each. */
export function canvasSize(): CanvasSize {
  return {
    width: Math.max(1, window.innerWidth),
    height: Math.max(1, window.innerHeight - HEADER_HEIGHT),
  };
}

/** Returns the canvas's size, and renders again when the window changes it. */
export function useCanvasSize(): CanvasSize {
  const [size, setSize] = useState(canvasSize);
  // No event fits between the first rendering and a layout effect; measuring there again would render all of the page.
  useLayoutEffect(() => {
    const measure = () => setSize(canvasSize());
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, []);
  return size;
}

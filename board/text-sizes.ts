import { LIMITS } from "./constants.ts";

/** The letter sizes that a text can have, in canvas pixels. */
export const TEXT_SIZES: readonly { readonly name: string; readonly size: number }[] = [
  { name: "Small", size: 16 },
  { name: "Medium", size: LIMITS.textSize },
  { name: "Large", size: 40 },
  { name: "Huge", size: 64 },
];

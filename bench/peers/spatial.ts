/** Spatial indexes from npm, for bench/parts. */

export { default as Flatbush } from "flatbush";
export { default as RBush, type Rectangle } from "rbush";

import { join } from "../realtime/join.ts";

export type Join = typeof join;
export const joined = true;

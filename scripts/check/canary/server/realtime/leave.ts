export { join } from "./join.ts";
export function leave(): void {}

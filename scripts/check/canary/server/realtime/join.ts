export { leave } from "./leave.ts";
export function join(): void {}

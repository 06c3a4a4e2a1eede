export const load = () => import("./loader.ts");

export interface Loaded {
  readonly name: string;
}

import type { Loaded } from "./loaded.ts";

export type Loader = () => Promise<Loaded>;

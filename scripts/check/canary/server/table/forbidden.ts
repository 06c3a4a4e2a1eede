export { read } from "../../web/ui/forbidden.ts";
export { join } from "../realtime/join.ts";
export { gone } from "./gone.ts";
export { examined } from "./examined.spec.ts";

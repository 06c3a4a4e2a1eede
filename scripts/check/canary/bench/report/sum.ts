export { count } from "../load/count.ts";

export { print } from "../report/print.ts";

export { start } from "../../server/http/start.ts";
export { createElement } from "react";

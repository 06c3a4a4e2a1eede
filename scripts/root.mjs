import { fileURLToPath } from "node:url";

/** The folder of the package, with a separator at its end. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The build of a page with the canvas alone, for tests in a browser, into dist/testing/canvas-page. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  build: {
    outDir: fileURLToPath(new URL("../../dist/testing/canvas-page", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    sourcemap: false,
  },
});

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const page = (name: string): string =>
  fileURLToPath(new URL(`./pages/${name}.html`, import.meta.url));

/** The build of the compared pages, into dist/bench/canvas. */
export default defineConfig({
  root: fileURLToPath(new URL("./pages", import.meta.url)),
  base: "./",
  build: {
    outDir: fileURLToPath(new URL("../../dist/bench/canvas", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: { input: ["floor", "floor-view", "ours", "naive", "make"].map(page) },
  },
});

import { defineConfig } from "vite";
import { fileURLToPath } from "node:url";

/** The build of the peers' pages for the benchmark only; vite itself is the project's. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  build: {
    outDir: fileURLToPath(new URL("./dist", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 10_000,
    rollupOptions: {
      input: ["excalidraw.html", "tldraw.html"].map((name) =>
        fileURLToPath(new URL(`./${name}`, import.meta.url)),
      ),
    },
  },
});

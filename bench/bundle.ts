/** Bundles sources with Vite for the benches: as a module for Node.js, or as a page would load them. */

import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin, type Rolldown } from "vite";
import { ROOT } from "../scripts/root.mjs";

/**
 * Builds the product's own TypeScript as a module of Node.js; packages stay outside.
 *
 * @param entry A file, relative to the root.
 * @returns The module's path, one for each list of plugins.
 */
export async function buildForNode(
  entry: string,
  plugins: readonly Plugin[] = [],
): Promise<string> {
  const name = [entry, ...plugins.map((plugin) => plugin.name)].join("-").replace(/\W/g, "-");
  const outDir = `${ROOT}dist/bench/modules/${name}`;
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    plugins: [...plugins],
    build: { outDir, emptyOutDir: true, ssr: entry, target: "node20", minify: false },
  });
  return `${outDir}/${basename(entry, ".ts")}.js`;
}

/** Builds a module and imports it; its type is that of the source. */
export async function importBundled<Module>(entry: string): Promise<Module> {
  return import(await buildForNode(entry));
}

/**
 * Measures the bytes that a page loads for a module: bundled and minified like the product, then gzipped.
 *
 * @param root The folder in which its imports are found.
 * @param source The module. Its exports stay in the bundle, with everything that they need.
 */
export async function measurePage(
  root: string,
  source: string,
): Promise<{ script: number; wasm: number }> {
  const entry = `${root}/bench-entry.js`;
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [
      {
        name: "bench-entry",
        enforce: "pre",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? source : null),
      },
    ],
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
  });
  const sizes = { script: 0, wasm: 0 };
  const { output } = result as Rolldown.RolldownOutput;
  for (const file of output) {
    const content = file.type === "chunk" ? file.code : file.source;
    sizes[file.fileName.endsWith(".wasm") ? "wasm" : "script"] += gzipSync(content).length;
  }
  return sizes;
}

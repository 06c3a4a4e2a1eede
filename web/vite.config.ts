import react from "@vitejs/plugin-react";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const outDir = fileURLToPath(new URL("../dist/web", import.meta.url));

/**
 * sonner writes its styles into the page by script, which a strict style-src refuses. The page
 * imports the same styles as a file (ui/styles.ts).
 */
function withoutInjectedStyles(): Plugin {
  return {
    name: "without-injected-styles",
    transform: {
      filter: { id: /[\\/]sonner[\\/]dist[\\/]index\.mjs$/ },
      handler(code) {
        const without = code.replace(/^__insertCSS\(".*"\);?$/m, "");
        if (without === code) this.error("sonner no longer injects its styles as it did");
        return { code: without, map: null };
      },
    },
  };
}

/** Has the browser fetch the room and the canvas while the page is being painted, at low priority. */
function preloadLateCode(): Plugin {
  return {
    name: "preload-late-code",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === "chunk");
        const entry = chunks.find((chunk) => chunk.isEntry);
        const early = new Set([entry?.fileName, ...(entry?.imports ?? [])]);
        const late = new Set<string>();
        for (const chunk of chunks.filter((candidate) => candidate.isDynamicEntry)) {
          for (const file of [chunk.fileName, ...chunk.imports])
            if (!early.has(file)) late.add(file);
        }
        return [...late].map((file) => ({
          tag: "link",
          attrs: {
            rel: "modulepreload",
            fetchpriority: "low",
            crossorigin: true,
            href: `/${file}`,
          },
          injectTo: "head" as const,
        }));
      },
    },
  };
}

/** Writes .br and .gz beside each file that gains by it, so that the server compresses nothing. */
function precompress(): Plugin {
  let built = outDir;
  return {
    name: "precompress",
    apply: "build",
    configResolved(config) {
      built = resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      const files = await readdir(built, { recursive: true });
      // index.html is left out: the server writes the product's name into it.
      const plain = files.filter((file) => /\.(js|css|svg|json)$/.test(file));
      await Promise.all(plain.map((file) => compressFile(join(built, file))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  if (brotli.length < bytes.length) await writeFile(`${path}.br`, brotli);
  if (gzipped.length < bytes.length) await writeFile(`${path}.gz`, gzipped);
}

/** The page: built into dist/web, served by the server on the same origin. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  plugins: [react(), withoutInjectedStyles(), preloadLateCode(), precompress()],
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    sourcemap: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Two entries are called create.ts; the folder tells them apart.
        chunkFileNames: ({ facadeModuleId, name }) => {
          const room = /[\\/](canvas|sync)[\\/]create\.ts$/.exec(facadeModuleId ?? "")?.[1];
          return `assets/${room ?? name}-[hash].js`;
        },
        // Libraries in chunks of their own: they change seldom, and our own code is counted apart from them.
        codeSplitting: {
          groups: [
            {
              name: "vendor-react",
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 3,
            },
            { name: "vendor-fabric", test: /node_modules[\\/]fabric[\\/]/, priority: 2 },
            {
              name: "vendor-supabase",
              test: /node_modules[\\/](@supabase|iceberg-js|phoenix)[\\/]/,
              priority: 2,
            },
            { name: "vendor-page", test: /node_modules[\\/]/, priority: 1 },
          ],
        },
      },
    },
  },
});

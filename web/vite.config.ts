import react from "@vitejs/plugin-react";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** What the page fetches while it is painted, as one chunk; other late code comes when it is needed. */
const ROOM = ["canvas/create.ts", "sync/create.ts"];
const ROOM_CHUNK = "room";

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

/**
 * Parts of libraries that the page never reaches, and what stands in for them: 14 kB less to load.
 * Whoever wants to use one of them takes its line out.
 */
const UNREACHED: Readonly<Record<string, string>> = {
  // A file store and remote functions: the page has neither. The client makes the first by itself.
  "@supabase/storage-js": `
    export class StorageClient {}
    export class StorageApiError extends Error {}`,
  "@supabase/functions-js": `
    export class FunctionsClient {}
    export class FunctionsError extends Error {}
    export class FunctionsFetchError extends FunctionsError {}
    export class FunctionsHttpError extends FunctionsError {}
    export class FunctionsRelayError extends FunctionsError {}
    export const FunctionRegion = {};`,
  // What only a modal popover needs; ours lets one draw beside it.
  "aria-hidden": "export const hideOthers = () => () => undefined;",
  "react-remove-scroll": "export const RemoveScroll = ({ children }) => children;",
};

function withoutUnreached(): Plugin {
  const prefix = "\0unreached:";
  return {
    name: "without-unreached",
    apply: "build",
    enforce: "pre",
    resolveId: (id) => (Object.hasOwn(UNREACHED, id) ? prefix + id : null),
    load: (id) => (id.startsWith(prefix) ? UNREACHED[id.slice(prefix.length)] : null),
  };
}

/**
 * Vite's own wrapper of `import()` fetches styles and preloads for late code. Ours has neither, and
 * `preloadCode` does the rest: 1 kB less to load.
 */
function withoutPreloadHelper(): Plugin {
  return {
    name: "without-preload-helper",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => "export const __vitePreload = (fetchCode) => fetchCode();",
    },
  };
}

/**
 * Has the browser fetch all scripts at once: those of the page first, and room and canvas, at low
 * priority, while the page is being painted.
 */
function preloadCode(): Plugin {
  return {
    name: "preload-code",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === "chunk");
        const entry = chunks.find((chunk) => chunk.isEntry);
        const early = new Set(entry?.imports);
        const late = new Set<string>();
        for (const chunk of chunks.filter(({ name }) => name === ROOM_CHUNK)) {
          for (const file of [chunk.fileName, ...chunk.imports])
            if (file !== entry?.fileName && !early.has(file)) late.add(file);
        }
        const link = (file: string, more: Record<string, string>) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `/${file}`, ...more },
          injectTo: "head" as const,
        });
        return [
          ...[...early].map((file) => link(file, {})),
          ...[...late].map((file) => link(file, { fetchpriority: "low" })),
        ];
      },
    },
  };
}

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** What the paths (from this folder) need to run, themselves included, without what is fetched late. */
function needsOf(paths: readonly string[], graph: Graph): ReadonlySet<string> {
  const needs = new Set<string>();
  const waiting = paths.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (needs.has(id) || id.includes("node_modules")) continue;
    needs.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return needs;
}

let parts: { readonly page: ReadonlySet<string>; readonly room: ReadonlySet<string> } | undefined;

/** Room and canvas share much, and so does their text: apart they would be 1.5 kB more to load. */
function isOfRoom(id: string, graph: Graph): boolean {
  parts ??= { page: needsOf(["main.tsx"], graph), room: needsOf(ROOM, graph) };
  return parts.room.has(id) && !parts.page.has(id);
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
  plugins: [
    react(),
    withoutInjectedStyles(),
    preloadCode(),
    withoutPreloadHelper(),
    withoutUnreached(),
    precompress(),
  ],
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    sourcemap: false,
    // preloadCode does it without a helper in the page's script.
    modulePreload: false,
    rolldownOptions: {
      output: {
        // The bundler's own few lines are no more ours than a library is.
        chunkFileNames: ({ name }) =>
          `assets/${name === "rolldown-runtime" ? "vendor-runtime" : name}-[hash].js`,
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
              test: /node_modules[\\/]@supabase[\\/]/,
              priority: 2,
            },
            { name: "vendor-page", test: /node_modules[\\/]/, priority: 1 },
            {
              name: (id, graph) => (isOfRoom(id, graph) ? ROOM_CHUNK : null),
              debugName: ROOM_CHUNK,
              // What the page needs as well stays with the page.
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});

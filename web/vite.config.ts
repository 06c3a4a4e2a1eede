import react from "@vitejs/plugin-react";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** The name that the bundler gives a chunk, after its module: ui/board/code.ts, which is imported lazily. */
const BOARD_CHUNK = "board-code";

const outDir = fileURLToPath(new URL("../dist/web", import.meta.url));

/**
 * Keeps sonner from writing its styles into the page by script, against which it has no option. The page imports the
 * same styles as a file (ui/notices/Notices.tsx): one order of the cascade, ours behind sonner's
 * (docs/decisions/build-plugins.md).
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

/** Matches rules of sonner's styles for things that are never on the page: our toasts have one theme, which follows ours. */
const UNREACHED =
  "rich-colors|theme='dark'|loading|loader|spinner|-cancel|-description|-invert|-promise";

function withoutUnreachedStyles(): Plugin {
  return {
    name: "without-unreached-styles",
    apply: "build",
    enforce: "pre",
    transform: {
      filter: { id: /[\\/]sonner[\\/]dist[\\/]styles\.css$/ },
      handler(code) {
        const without = code
          .replace(new RegExp(`[^{}]*(?:${UNREACHED})[^{}]*\\{[^{}]*\\}`, "g"), "")
          .replace(/--(?:success|info|warning|error)-\w+:[^;]*;/g, "");
        if (without.length > 0.75 * code.length) this.error("sonner's styles are not as they were");
        return { code: without, map: null };
      },
    },
  };
}

/**
 * Modules of radix-ui for modal panels, which are not used: all panels are non-modal. Remove a line to use that
 * module.
 */
const UNUSED: Readonly<Record<string, string>> = {
  "react-remove-scroll": `
    export function RemoveScroll() { throw new Error("The page is built without modal panels"); }`,
  "aria-hidden": `
    export function hideOthers() { throw new Error("The page is built without modal panels"); }`,
};

function withoutUnused(): Plugin {
  const prefix = "\0unused:";
  return {
    name: "without-unused",
    apply: "build",
    enforce: "pre",
    resolveId: (id) => (Object.hasOwn(UNUSED, id) ? prefix + id : null),
    load: (id) => (id.startsWith(prefix) ? UNUSED[id.slice(prefix.length)] : null),
  };
}

/**
 * Preloads the chunks that Vite names as scripts of their own, and leaves one script, the last of them. The board's
 * code is not preloaded: it would delay the first paint (browser-environment.ts).
 */
function oneScript(): Plugin {
  const script =
    /<script type="module" crossorigin src="([^"]+)"><\/script>(?=[^]*<script type="module")/g;
  return {
    name: "one-script",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html) => html.replace(script, '<link rel="modulepreload" crossorigin href="$1">'),
    },
  };
}

const WORKER = "sw.js";

/** The prefix of chunks with the texts of one language. */
const LANGUAGE = "language-";

const CATALOGUE = /[\\/]web[\\/]ui[\\/]language[\\/]([\w-]+)\.json$/;

/**
 * Builds the service worker: one file at the root, which contains the list of what it stores. The name of the page's
 * first script and a hash of everything identify the build (web/offline/shell.ts).
 */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    buildStart() {
      const id = fileURLToPath(new URL("offline/service-worker.ts", import.meta.url));
      this.emitFile({ type: "chunk", id, fileName: WORKER });
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const worker = bundle[WORKER];
        const page = bundle["index.html"];
        if (worker?.type !== "chunk" || page?.type !== "asset") throw new Error(`no ${WORKER}`);
        if (worker.imports.length > 0)
          throw new Error(`${WORKER} imports ${worker.imports.join()}`);
        const html = String(page.source);
        const entry = /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1];
        if (entry === undefined) throw new Error("index.html has no script");
        const files = Object.keys(bundle).filter((file) => /^assets\/.*\.(js|css)$/.test(file));
        const isLanguage = (file: string): boolean => file.startsWith(`assets/${LANGUAGE}`);
        const build = {
          entry,
          id: createHash("sha256")
            .update([html, worker.code, ...files.toSorted()].join("\n"))
            .digest("hex")
            .slice(0, 16),
          files: files.filter((file) => !isLanguage(file)).map((file) => `/${file}`),
          languages: files.filter(isLanguage).map((file) => `/${file}`),
        };
        worker.code = worker.code.replace("__BUILD__", () => JSON.stringify(build));
        // Its positions have moved.
        worker.code = worker.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "");
        delete bundle[`${WORKER}.map`];
      },
    },
  };
}

/**
 * Writes .br and .gz beside each file that becomes smaller by it, at the highest level, so that the server compresses
 * nothing. Vite itself has no such step.
 */
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

/** Matches icons that neither the header nor the dock shows: they arrive with what shows them. */
const LAZY_ICONS =
  /lucide-react[\\/].*[\\/](arrow-right|bring-to-front|chevron-down|clipboard-copy|clipboard-paste|copy|copy-plus|file-down|folder-open|image-down|image-plus|keyboard|languages|link|locate-fixed|maximize|minus|pause|pen-line|play|plus|printer|rotate-ccw-clock|scissors|send-to-back|square-dashed-mouse-pointer|sun-moon|type|users)\.m?js$/;

/** Whether the first load needs a library: all but those that only the menu and the panels use. */
function isNeededAtOnce(id: string): boolean {
  return (
    !LAZY_ICONS.test(id) &&
    /node_modules[\\/](?!uqr|sonner|fabric|@supabase|@radix-ui[\\/]react-(dialog|dropdown-menu|menu)[\\/])/.test(
      id,
    )
  );
}

/** The files of index.html, which every page has loaded before it imports code lazily. */
const LOADED_FIRST = /^assets\/(?:page|rolldown-runtime|vendor-page)-/;

/**
 * The scripts to preload with a script that is imported lazily: those of the board's code, for which the visitor waits.
 * With the rest none is preloaded: on a slow device WebKit warns on the console about each preload that waits for a
 * style sheet. Style sheets are loaded with every script in any case.
 */
function preloads(file: string, dependencies: string[]): string[] {
  if (!file.includes(BOARD_CHUNK)) return [];
  return dependencies.filter((one) => !LOADED_FIRST.test(one));
}

/** The oldest browsers that the page supports (docs/decisions/browsers.md). Samsung Internet 27 is Chromium 125. */
const BROWSERS = ["chrome125", "edge125", "firefox128", "safari18"];

/** The page: built into dist/web, served by the server on the same origin. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  // The server writes its BASE_PATH before the addresses of index.html; scripts refer to each other by relative
  // paths.
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === "html" ? `/${file}` : { relative: true }),
  },
  plugins: [
    react(),
    withoutInjectedStyles(),
    withoutUnreachedStyles(),
    withoutUnused(),
    oneScript(),
    serviceWorker(),
    precompress(),
  ],
  // This is the same library as one file for each module: the bundler drops no class from its single file
  // (docs/decisions/build-plugins.md).
  resolve: { alias: [{ find: /^fabric$/, replacement: "fabric/es" }] },
  build: {
    outDir,
    emptyOutDir: true,
    target: BROWSERS,
    // The target supports light-dark(): its substitute in older browsers follows the system only, not a visitor's
    // choice.
    cssTarget: BROWSERS,
    // A browser fetches a map only when somebody inspects an error, and then it names the TypeScript sources.
    sourcemap: true,
    modulePreload: {
      // Every browser of the target preloads modules by itself.
      polyfill: false,
      resolveDependencies: (file, dependencies, { hostType }) =>
        hostType === "html" ? dependencies : preloads(file, dependencies),
    },
    rolldownOptions: {
      // A constant of a few characters is shorter than its name wherever it is used.
      optimization: { inlineConst: { mode: "all", pass: 3 } },
      // radix-ui names each of its functions for debuggers with this call, which would keep those that nothing uses.
      treeshake: { manualPureFunctions: ["__name"] },
      onwarn(warning, show) {
        // The wrong module is imported lazily: this one arrives with code that imports it anyway.
        if (warning.code === "INEFFECTIVE_DYNAMIC_IMPORT") throw new Error(warning.message);
        show(warning);
      },
      output: {
        // Libraries have chunks of their own: they rarely change, and size-limit counts our code apart from them.
        codeSplitting: {
          groups: [
            { name: "vendor-fabric", test: /node_modules[\\/]fabric[\\/]/, priority: 2 },
            {
              name: "vendor-session",
              test: /node_modules[\\/]@supabase[\\/]auth-js[\\/]/,
              priority: 3,
            },
            { name: "vendor-supabase", test: /node_modules[\\/]@supabase[\\/]/, priority: 2 },
            // Code that only menu and panels need arrives with them.
            { name: "vendor-page", test: isNeededAtOnce, priority: 3 },
            {
              name: "vendor-features",
              test: (id) =>
                LAZY_ICONS.test(id) || /node_modules[\\/]sonner[\\/]dist[\\/]index\.mjs$/.test(id),
              priority: 2,
            },
            { name: "vendor-qrcode", test: /node_modules[\\/]uqr[\\/]/, priority: 2 },
            { name: "vendor-panels", test: /node_modules[\\/]/, priority: 0.2 },
            { name: (id) => `${LANGUAGE}${CATALOGUE.exec(id)?.[1]}`, test: CATALOGUE },
            // There are few chunks of our own: code that arrives together is one text, which compresses better and
            // takes one request.
            { name: "page", test: /[\\/]web[\\/]main\.tsx$/, priority: 1.8 },
            { name: BOARD_CHUNK, test: /[\\/]board[\\/]code\.ts$/, priority: 1.6 },
            // The next chunk needs it, and insert without that one.
            { name: "picture-header", test: /[\\/]board[\\/]picture-header\.ts$/, priority: 1.35 },
            // Objects of plain Fabric need it, also before there is a sign of the visitor.
            {
              name: "fabric-shape",
              test: /[\\/]canvas[\\/]scene[\\/]fabric-shape\.ts$/,
              priority: 1.3,
            },
            // The names of the languages arrive without the menu for a visitor who reads another one than English.
            { name: "languages", test: /[\\/]language[\\/]languages\.ts$/, priority: 1.3 },
            { name: "insert", test: /[\\/]web[\\/]ui[\\/]files[\\/]insert\.ts$/, priority: 0.15 },
            // One panel alone is not much smaller than all of them.
            {
              name: "panels",
              test: /[\\/]web[\\/]ui[\\/](panels[\\/](?!TakeBack)|controller[\\/](author-actions|undoable-edit))/,
              priority: 0.12,
            },
            // These are fetched together at the visitor's first sign (web/ui/board/fetch-ahead.ts). The priority is
            // the least one: a group takes along what its modules import, as far as no other group has it.
            {
              name: "menus",
              test: /[\\/]web[\\/]ui[\\/](header[\\/]Menu|selection[\\/]ContextMenu|dock[\\/]StickerPanel|dock[\\/]tool-hints|selection[\\/]ColourPalette)\.tsx?$/,
              priority: 0.1,
            },
            {
              name: "board-features",
              test: /[\\/]web[\\/]ui[\\/](BoardFeatures|dock[\\/]MoreTools|view[\\/]ViewControls|header[\\/]LockSign)\.tsx$|[\\/]board[\\/]text-direction\.ts$|sonner[\\/]dist[\\/]styles\.css$/,
              priority: 1.4,
            },
          ],
        },
      },
    },
  },
});

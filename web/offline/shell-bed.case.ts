import type { Build } from "./shell.ts";

export const ORIGIN = "https://draw.example";

export const FIRST: Build = {
  ...{ entry: "/assets/index-1.js", id: "one" },
  files: ["/assets/index-1.js", "/assets/same.js"],
  languages: ["/assets/language-de-11111111.js", "/assets/language-pt-BR-11111111.js"],
};

export const SECOND: Build = {
  ...{ entry: "/assets/index-2.js", id: "two" },
  files: ["/assets/index-2.js", "/assets/same.js"],
  languages: ["/assets/language-de-22222222.js", "/assets/language-pt-BR-22222222.js"],
};

/** Makes the browser's caches, in memory. */
export function createCaches() {
  const all = new Map<string, Map<string, Response>>();
  const match = async (path: string, { cacheName = "" } = {}): Promise<Response | undefined> => {
    for (const [name, one] of all)
      if (one.has(path) && name.includes(cacheName)) return one.get(path)?.clone();
    return undefined;
  };
  let isFull = false;
  let looks = 0;
  const caches = {
    match,
    keys: async () => [...all.keys()],
    has: async (name: string) => {
      looks++;
      return all.has(name);
    },
    delete: async (name: string) => all.delete(name),
    async open(name: string) {
      const one = all.get(name) ?? new Map<string, Response>();
      all.set(name, one);
      return {
        async keys() {
          return [...one.keys()].map((path) => new Request(new URL(path, ORIGIN)));
        },
        async put(path: string, response: Response) {
          if (isFull) throw new DOMException("no space", "QuotaExceededError");
          one.set(path, response);
        },
      };
    },
  };
  return {
    caches: caches as unknown as CacheStorage,
    all,
    fill: () => (isFull = true),
    /** Returns the number of times that a build was looked for. */
    looks: () => looks,
  };
}

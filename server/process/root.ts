import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of package.json, as a URL that ends with a slash: the same from sources and from dist. */
export const PROJECT_ROOT: URL = findRoot(import.meta.url);

function findRoot(start: string): URL {
  let folder = new URL("./", start);
  while (!existsSync(new URL("package.json", folder))) {
    const parent = new URL("../", folder);
    if (parent.href === folder.href)
      throw new Error(`No package.json above ${fileURLToPath(start)}`);
    folder = parent;
  }
  return folder;
}

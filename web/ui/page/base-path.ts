/** The path of this page on its origin, as the server wrote it into index.html: `/`, or for example `/board/`. */
export const BASE_PATH: string = read();

function read(): string {
  if (typeof document === "undefined") return "/";
  return document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? "/";
}

/** Whether a path is the whiteboard's, also without the slash at its end. */
export function isHome(path: string, base = BASE_PATH): boolean {
  // A page that was requested without the base path, as by a proxy that strips it, is the whiteboard as well.
  return path === "/" || path === base || `${path}/` === base;
}

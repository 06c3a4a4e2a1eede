import { LANGUAGE_PARAMETER, prefer, preference } from "../kit/preferences.ts";

/** Restarts the page in a language; the drawing is retained. Where the browser refuses storage, the address names it. */
export function chooseLanguage(tag: string): void {
  prefer("language", tag);
  if (preference("language", true) === tag) return location.reload();
  const address = new URL(location.href);
  address.searchParams.set(LANGUAGE_PARAMETER, tag);
  location.replace(address);
}

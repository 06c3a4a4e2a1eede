/** Copies the page's address: at once, since a browser allows it only while it handles a press. */

import { pageLink } from "./address.ts";

let last: Promise<boolean> = Promise.resolve(false);

/** Resolves to whether it is on the clipboard. A page that was not served securely has none. */
export function copyLink(): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  last = clipboard
    ? clipboard.writeText(pageLink(location)).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false);
  return last;
}

/** The outcome of the last one. */
export const lastCopy = (): Promise<boolean> => last;

/** Copies the page's address immediately, since a browser allows it only while it handles a press. */

import { pageLink } from "./address.ts";

let last: Promise<boolean> = Promise.resolve(false);

/** Copies the address. Resolves to whether it is on the clipboard, which a page that was not served securely does not have. */
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

/** Returns the outcome of the last copy. */
export const lastCopy = (): Promise<boolean> => last;

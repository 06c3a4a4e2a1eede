/** Copies the page's address immediately, since a browser allows it only while it handles a press. */

import { pageLink } from "./address.ts";

let last: Promise<boolean> = Promise.resolve(false);

/** Copies a text. Resolves to whether it is on the clipboard, which a page that was not served securely does not have. */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return false;
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/** Copies the address. Resolves to whether it is on the clipboard. */
export function copyLink(): Promise<boolean> {
  last = copyText(pageLink(location));
  return last;
}

/** Returns the outcome of the last copy. */
export const lastCopy = (): Promise<boolean> => last;

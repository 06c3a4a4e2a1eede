/** The development mailbox: the last mails and text messages, to be read on this machine. */

import { escapeHtml } from "./templates.ts";

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly html: string;
}

export interface Mailbox {
  put(letter: Letter): void;
  /** The newest first. */
  list(): readonly (Letter & { readonly at: string })[];
}

const MAX_LETTERS = 100;

export function createMailbox(clock: () => number): Mailbox {
  const letters: (Letter & { readonly at: string })[] = [];
  return {
    put(letter) {
      letters.unshift({ ...letter, at: new Date(clock()).toISOString() });
      letters.length = Math.min(letters.length, MAX_LETTERS);
    },
    list: () => letters,
  };
}

/** Only a browser on this machine reads it. */
export function isLocalAddress(ip: string): boolean {
  return ip === "127.0.0.1" || ip === "::1" || ip === "::ffff:127.0.0.1";
}

/** A name that another machine's owner points here does not count. */
export function isLocalName(host: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]", "::1"].includes(host.replace(/:\d+$/, ""));
}

export function mailboxPage(mailbox: Mailbox): string {
  const letters = mailbox
    .list()
    .map(
      (letter) =>
        `<article><header><b>${escapeHtml(letter.subject)}</b> to ${escapeHtml(letter.to)} at ${letter.at}</header>${letter.html}</article>`,
    );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Development mailbox</title>
<h1>Development mailbox</h1>${letters.length === 0 ? "<p>No mails yet.</p>" : letters.join("<hr>")}</html>`;
}

/** The development mailbox: the last 100 mails and text messages, readable on this machine only. */

import { escapeHtml } from "./templates.ts";

export interface MailboxEntry {
  readonly to: string;
  readonly subject: string;
  readonly html: string;
}

export interface Mailbox {
  put(entry: MailboxEntry): void;
  /** Lists the messages, the newest first. */
  list(): readonly (MailboxEntry & { readonly at: string })[];
}

const MAX_ENTRIES = 100;

/** Makes a mailbox. `clock` returns milliseconds since 1970. */
export function createMailbox(clock: () => number): Mailbox {
  const entries: (MailboxEntry & { readonly at: string })[] = [];
  return {
    put(entry) {
      entries.unshift({ ...entry, at: new Date(clock()).toISOString() });
      entries.length = Math.min(entries.length, MAX_ENTRIES);
    },
    list: () => entries,
  };
}

/** Whether an IP address is this machine's own. */
export function isLocalAddress(ip: string): boolean {
  return ip === "127.0.0.1" || ip === "::1" || ip === "::ffff:127.0.0.1";
}

/** Whether a Host header names this machine. A foreign domain that resolves to it does not count. */
export function isLocalName(host: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]", "::1"].includes(host.replace(/:\d+$/, ""));
}

/** Returns the mailbox as an HTML page. */
export function mailboxPage(mailbox: Mailbox): string {
  const entries = mailbox
    .list()
    .map(
      (entry) =>
        `<article><header><b>${escapeHtml(entry.subject)}</b> to ${escapeHtml(entry.to)} at ${entry.at}</header>${entry.html}</article>`,
    );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Development mailbox</title>
<h1>Development mailbox</h1>${entries.length === 0 ? "<p>No mails yet.</p>" : entries.join("<hr>")}</html>`;
}

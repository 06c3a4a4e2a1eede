/** What every part of the auth API works with. */

import type { KeyRing } from "../keys/port.ts";
import type { Logger } from "../log.ts";
import type { Database } from "../storage/port.ts";
import type { AddressLimits } from "./limits.ts";
import type { Mailbox } from "./mail/mailbox.ts";
import type { Outbox } from "./mail/outbox.ts";
import type { Templates } from "./mail/templates.ts";
import type { Redirects } from "./redirects.ts";
import type { Pepper } from "./secrets.ts";
import type { AuthSettings } from "./settings/settings.ts";
import type { TextMessages } from "./sms/messages.ts";

export interface Auth {
  readonly settings: AuthSettings;
  readonly productName: string;
  readonly database: Database;
  readonly keys: KeyRing;
  readonly log: Logger;
  readonly pepper: Pepper;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly urls: Urls;
  readonly redirects: Redirects;
  readonly outbox: Outbox;
  readonly templates: Templates;
  /** With INKPOOL_DEV_MAILBOX only. */
  readonly mailbox: Mailbox | null;
  readonly texts: TextMessages;
  readonly limits: AddressLimits;
}

export interface Urls {
  /** Where people land: no slash at its end. */
  site(): string;
  /** The auth API as the outside reaches it: ends in /auth/v1. */
  api(): string;
}

/** Now, as it is stored. */
export function stamp(auth: Auth, plusMs = 0): string {
  return new Date(auth.clock() + plusMs).toISOString();
}

export function isPast(auth: Auth, at: string): boolean {
  return at <= stamp(auth);
}

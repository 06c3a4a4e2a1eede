/** The environment of all parts of the auth API. */

import type { KeyRing } from "../../keys/port.ts";
import type { Logger } from "../../process/log.ts";
import type { Database } from "../../storage/port.ts";
import type { AddressLimits } from "./limits.ts";
import type { Mailbox } from "../mail/mailbox.ts";
import type { Outbox } from "../mail/outbox.ts";
import type { Templates } from "../mail/templates.ts";
import type { Redirects } from "../http/redirects.ts";
import type { Passwords } from "../secrets/passwords.ts";
import type { Pepper } from "../secrets/secrets.ts";
import type { AuthSettings } from "../settings/settings.ts";
import type { SamlPool } from "../assertions/pool.ts";
import type { SmsSender } from "../sms/messages.ts";
import type { Urls } from "../http/urls.ts";

export interface Auth {
  readonly settings: AuthSettings;
  readonly productName: string;
  readonly database: Database;
  readonly keys: KeyRing;
  readonly log: Logger;
  readonly pepper: Pepper;
  /** The time in milliseconds since 1970. */
  readonly clock: () => number;
  readonly urls: Urls;
  readonly redirects: Redirects;
  readonly outbox: Outbox;
  readonly templates: Templates;
  /** The development mailbox, with INKPOOL_DEV_MAILBOX only. */
  readonly mailbox: Mailbox | null;
  /** Sends text messages; null without a webhook, without Twilio and without the development mailbox. */
  readonly sms: SmsSender | null;
  readonly limits: AddressLimits;
  readonly passwords: Passwords;
  /** The thread that reads responses of SAML identity providers. */
  readonly saml: SamlPool;
}

/** The last time that sorts as a text: from the year 10000 on, a sign stands before the year. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** Returns the time as it is stored: now, or `plusMs` milliseconds later. ISO 8601 in UTC. */
export function timestamp(auth: Pick<Auth, "clock">, plusMs = 0): string {
  return new Date(Math.min(auth.clock() + plusMs, LAST_MS)).toISOString();
}

/** Stops the clock for a request whose response contains times: how far they are apart tells what was done. */
export function withStoppedClock(auth: Auth): Auth {
  const now = auth.clock();
  return { ...auth, clock: () => now };
}

/** Whether a stored time is now or earlier. */
export function isExpired(auth: Auth, at: string): boolean {
  return at <= timestamp(auth);
}

/**
 * Mails on their way. Posting returns at once: an answer takes as long whether a mail follows or not,
 * and a slow mail server holds nobody up. What fails is tried again, then noted in the log.
 */

import type { Transporter } from "nodemailer";
import type { Logger } from "../../log.ts";
import type { AuthSettings } from "../settings/settings.ts";
import type { Mailbox } from "./mailbox.ts";
import { plainText } from "./templates.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Made when it is sent, so that templates may be fetched. */
  html(): Promise<string>;
}

export interface Outbox {
  post(mail: Mail): void;
  /** Resolves when nothing is on its way, or after the wait. */
  settle(waitMs: number): Promise<void>;
  close(): Promise<void>;
}

interface Carrier {
  send(mail: Mail): Promise<void>;
  close(): void;
}

const TRIES = 3;

export function createOutbox(
  carrier: Carrier,
  log: Logger,
  pause: (ms: number) => Promise<void>,
): Outbox {
  const open = new Set<Promise<void>>();
  let closing = false;
  const deliver = async (mail: Mail): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await carrier.send(mail);
      } catch (error) {
        const reason = error instanceof Error ? error.name : "unknown";
        if (attempt === TRIES || closing)
          return log.error("a mail could not be sent", {
            to: mail.to,
            subject: mail.subject,
            reason,
          });
        await pause(500 * 4 ** (attempt - 1));
      }
    }
  };
  const settle = async (waitMs: number): Promise<void> => {
    await Promise.race([Promise.all(open), pause(waitMs)]);
  };
  return {
    post(mail) {
      const one = deliver(mail).finally(() => open.delete(one));
      open.add(one);
    },
    settle,
    async close() {
      closing = true;
      await settle(3_000);
      carrier.close();
    },
  };
}

/** Through the operator's mail server. */
export function smtpCarrier(
  settings: AuthSettings,
  productName: string,
  senderHost: string,
): Carrier {
  const options = {
    host: settings.GOTRUE_SMTP_HOST ?? "",
    port: settings.GOTRUE_SMTP_PORT,
    secure: settings.GOTRUE_SMTP_PORT === 465,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // On this machine nobody sits between: a development mail server's own certificate will do.
    tls: { rejectUnauthorized: !isLocal(settings.GOTRUE_SMTP_HOST ?? "") },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(settings.GOTRUE_SMTP_USER === null
      ? {}
      : { auth: { user: settings.GOTRUE_SMTP_USER, pass: settings.GOTRUE_SMTP_PASS ?? "" } }),
  };
  let transport: Promise<Transporter> | undefined;
  const connect = async (): Promise<Transporter> =>
    (await import("nodemailer")).createTransport(options);
  const from = {
    name: settings.GOTRUE_SMTP_SENDER_NAME || productName,
    address: settings.GOTRUE_SMTP_ADMIN_EMAIL ?? `noreply@${senderHost}`,
  };
  const headers = Object.entries(settings.GOTRUE_SMTP_HEADERS).flatMap(([key, values]) =>
    values.map((value) => ({ key, value })),
  );
  return {
    async send(mail) {
      const html = await mail.html();
      transport ??= connect();
      await (
        await transport
      ).sendMail({
        from,
        to: mail.to,
        subject: mail.subject,
        html,
        text: plainText(html),
        headers,
      });
    },
    close: () => void transport?.then((open) => open.close()),
  };
}

function isLocal(host: string): boolean {
  return ["localhost", "127.0.0.1", "::1"].includes(host);
}

/** Without a mail server: the log tells that there is a mail, without its links and codes; the development mailbox holds it whole. */
export function logCarrier(log: Logger, mailbox: Mailbox | null): Carrier {
  return {
    async send(mail) {
      mailbox?.put({ to: mail.to, subject: mail.subject, html: await mail.html() });
      log.info("mail not sent, since no mail server is set", {
        to: mail.to,
        subject: mail.subject,
      });
    },
    close: () => {},
  };
}

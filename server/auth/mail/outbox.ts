/**
 * Sends mails through the operator's mail server, or notes them in the log. A mail that fails is tried again twice,
 * then logged.
 */

import type { Transporter } from "nodemailer";
import type { Logger } from "../../process/log.ts";
import type { Deliveries } from "./deliveries.ts";
import type { AuthSettings } from "../settings/settings.ts";
import type { Mailbox } from "./mailbox.ts";
import { plainText } from "./templates.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Returns the HTML. It is filled in for each attempt, since the template may have to be fetched. */
  readonly html: () => Promise<string>;
}

export interface Outbox {
  /** Posts a mail and returns immediately. `compose` runs after the response; undefined means that no mail is sent. */
  readonly post: (compose: () => Mail | undefined) => void;
  /** Waits for open deliveries, at most 3 s. */
  readonly close: () => Promise<void>;
}

/** The transport of mails. */
export interface MailTransport {
  readonly send: (mail: Mail) => Promise<void>;
  readonly close: () => void;
}

const MAX_ATTEMPTS = 3;

/** Makes an outbox. `pause` resolves after so many milliseconds. */
export function createOutbox(
  transport: MailTransport,
  deliveries: Deliveries,
  log: Logger,
  pause: (ms: number) => Promise<void>,
): Outbox {
  let closing = false;
  const deliver = async (mail: Mail): Promise<void> => {
    const { to, subject } = mail;
    for (let attempt = 1; ; attempt++) {
      try {
        return await transport.send(mail);
      } catch (error) {
        const reason = error instanceof Error ? error.name : "unknown";
        if (attempt === MAX_ATTEMPTS || closing)
          return log.error("a mail could not be sent", { to, subject, reason });
        await pause(500 * 4 ** (attempt - 1));
      }
    }
  };
  return {
    post(compose) {
      deliveries.start(async () => {
        const mail = compose();
        if (mail !== undefined) await deliver(mail);
      });
    },
    async close() {
      closing = true;
      await deliveries.settle(3_000);
      transport.close();
    },
  };
}

/** Sends through the operator's mail server; the connection opens with the first mail. */
export function smtpTransport(
  settings: AuthSettings,
  productName: string,
  senderHost: string,
): MailTransport {
  const options = {
    host: settings.GOTRUE_SMTP_HOST ?? "",
    port: settings.GOTRUE_SMTP_PORT,
    secure: settings.GOTRUE_SMTP_PORT === 465,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // Nobody can intercept on this machine, so a development mail server's self-signed certificate is accepted.
    tls: { rejectUnauthorized: !isLocal(settings.GOTRUE_SMTP_HOST ?? "") },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(settings.GOTRUE_SMTP_USER === null
      ? {}
      : { auth: { user: settings.GOTRUE_SMTP_USER, pass: settings.GOTRUE_SMTP_PASS ?? "" } }),
  };
  let connection: Promise<Transporter> | undefined;
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
    async send({ to, subject, html: fill }) {
      const html = await fill();
      connection ??= connect();
      const open = await connection;
      await open.sendMail({ from, to, subject, html, text: plainText(html), headers });
    },
    close: () => void connection?.then((open) => open.close()),
  };
}

function isLocal(host: string): boolean {
  return ["localhost", "127.0.0.1", "::1"].includes(host);
}

/**
 * Makes the transport without a mail server: the log names the mail's receiver and subject, never its link or code;
 * the development mailbox stores all of it.
 */
export function logTransport(log: Logger, mailbox: Mailbox | null): MailTransport {
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

/** Sends text messages: to a webhook in the Standard Webhooks form, through Twilio, or to the development mailbox. */

import { createHmac, randomUUID } from "node:crypto";
import type { Logger } from "../../process/log.ts";
import type { Deliveries } from "../mail/deliveries.ts";
import type { Mailbox } from "../mail/mailbox.ts";
import { escapeHtml } from "../mail/templates.ts";
import type { AuthSettings } from "../settings/settings.ts";
import type { TextMessage } from "./text-message.ts";
import { sendByTwilio } from "./twilio.ts";

export interface SmsSender {
  /** Posts a text message and returns immediately, as posting a mail does. */
  post(message: TextMessage): void;
}

export interface SmsTools {
  readonly settings: AuthSettings;
  readonly log: Logger;
  readonly mailbox: Mailbox | null;
  readonly deliveries: Deliveries;
  readonly clock: () => number;
}

/** Makes a sender; null when nothing could send a text message. */
export function createSmsSender(tools: SmsTools): SmsSender | null {
  const send = transportOf(tools);
  if (send === null) return null;
  return {
    post(message) {
      tools.deliveries.start(async () => {
        try {
          await send(message);
        } catch (error) {
          tools.log.error("a text message could not be sent", {
            to: lastDigits(message.phone),
            reason: error instanceof Error ? error.message : "unknown",
          });
        }
      });
    },
  };
}

function transportOf(tools: SmsTools): ((message: TextMessage) => Promise<void>) | null {
  if (tools.settings.GOTRUE_HOOK_SEND_SMS_ENABLED)
    return (message) => callWebhook(tools.settings, tools.clock, message);
  if (tools.settings.GOTRUE_SMS_PROVIDER === "twilio")
    return (message) => sendByTwilio(tools.settings, message);
  const { mailbox, log } = tools;
  if (mailbox === null) return null;
  return async (message) => {
    log.info("text message not sent, since no provider is set", { to: lastDigits(message.phone) });
    const html = `<p>${escapeHtml(message.text)}</p>`;
    mailbox.put({ to: `+${message.phone}`, subject: "Text message", html });
  };
}

/**
 * Calls the webhook.
 * @throws Error without secrets in its message
 */
async function callWebhook(
  settings: AuthSettings,
  clock: () => number,
  message: TextMessage,
): Promise<void> {
  const id = `msg_${randomUUID()}`;
  const seconds = String(Math.floor(clock() / 1000));
  const body = JSON.stringify({
    user: message.user,
    sms: {
      otp: message.code,
      phone: message.phone,
      channel: message.channel,
      message: message.text,
    },
  });
  const keys = (settings.GOTRUE_HOOK_SEND_SMS_SECRETS ?? "").split("|");
  const signatures = keys.map((key) => `v1,${signWebhook(key, `${id}.${seconds}.${body}`)}`);
  const response = await fetch(settings.GOTRUE_HOOK_SEND_SMS_URI ?? "", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": seconds,
      "webhook-signature": signatures.join(" "),
    },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(5_000),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the webhook returned status ${response.status}`);
}

/** Returns the Standard Webhooks signature of a text, in base64. `key` has the form `v1,whsec_<base64>`. */
export function signWebhook(key: string, content: string): string {
  const bytes = Buffer.from(key.replace(/^v1,whsec_/, ""), "base64");
  return createHmac("sha256", bytes).update(content).digest("base64");
}

/** Returns the last digits, by which a number is recognised in the log. */
function lastDigits(phone: string): string {
  return `...${phone.slice(-3)}`;
}

/** Returns a template with its code filled in. */
export function fillText(template: string, code: string): string {
  return template.replace(/\{\{\s*\.Code\s*\}\}/g, code);
}

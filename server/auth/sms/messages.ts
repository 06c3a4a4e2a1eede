/** Text messages: by a webhook in the Standard Webhooks form, or noted in the log and the development mailbox. */

import { createHmac, randomUUID } from "node:crypto";
import type { Logger } from "../../log.ts";
import type { Mailbox } from "../mail/mailbox.ts";
import { escapeHtml } from "../mail/templates.ts";
import type { AuthSettings } from "../settings/settings.ts";

export interface TextMessage {
  readonly phone: string;
  readonly code: string;
  readonly text: string;
  readonly channel: "sms" | "whatsapp";
  readonly user: Readonly<Record<string, unknown>>;
}

export interface TextMessages {
  /** Returns at once, like a mail. */
  post(message: TextMessage): void;
  settle(): Promise<void>;
}

export interface TextTools {
  readonly settings: AuthSettings;
  readonly log: Logger;
  readonly mailbox: Mailbox | null;
  readonly clock: () => number;
}

export function createTextMessages(tools: TextTools): TextMessages {
  const open = new Set<Promise<void>>();
  const { settings } = tools;
  const send = settings.GOTRUE_HOOK_SEND_SMS_ENABLED ? callWebhook : noteInLog;
  return {
    post(message) {
      const one = send(tools, message)
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : "unknown";
          tools.log.error("a text message could not be sent", {
            to: ending(message.phone),
            reason,
          });
        })
        .finally(() => open.delete(one));
      open.add(one);
    },
    settle: async () => void (await Promise.all(open)),
  };
}

async function noteInLog(tools: TextTools, message: TextMessage): Promise<void> {
  tools.mailbox?.put({
    to: `+${message.phone}`,
    subject: "Text message",
    html: `<p>${escapeHtml(message.text)}</p>`,
  });
  tools.log.info("text message not sent, since no webhook is set", { to: ending(message.phone) });
}

/** @throws Error without secrets in its message */
async function callWebhook(tools: TextTools, message: TextMessage): Promise<void> {
  const id = `msg_${randomUUID()}`;
  const seconds = String(Math.floor(tools.clock() / 1000));
  const body = JSON.stringify({
    user: message.user,
    sms: {
      otp: message.code,
      phone: message.phone,
      channel: message.channel,
      message: message.text,
    },
  });
  const keys = (tools.settings.GOTRUE_HOOK_SEND_SMS_SECRETS ?? "").split("|");
  const signatures = keys.map((key) => `v1,${signWebhook(key, `${id}.${seconds}.${body}`)}`);
  const response = await fetch(tools.settings.GOTRUE_HOOK_SEND_SMS_URI ?? "", {
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
  if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
}

/** The key is `v1,whsec_<base64>`. */
export function signWebhook(key: string, content: string): string {
  const bytes = Buffer.from(key.replace(/^v1,whsec_/, ""), "base64");
  return createHmac("sha256", bytes).update(content).digest("base64");
}

/** Enough to recognise a number in the log. */
function ending(phone: string): string {
  return `...${phone.slice(-3)}`;
}

/** The template with its code. */
export function fillText(template: string, code: string): string {
  return template.replace(/\{\{\s*\.Code\s*\}\}/g, code);
}

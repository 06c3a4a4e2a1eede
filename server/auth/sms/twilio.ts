/** Sends text messages through Twilio's HTTP API. */

import type { AuthSettings } from "../settings/settings.ts";
import type { TextMessage } from "./text-message.ts";

const TWILIO_URL = "https://api.twilio.com";

/**
 * Sends a text message.
 * @throws Error without secrets in its message
 */
export async function sendByTwilio(settings: AuthSettings, message: TextMessage): Promise<void> {
  const account = settings.GOTRUE_SMS_TWILIO_ACCOUNT_SID ?? "";
  const token = settings.GOTRUE_SMS_TWILIO_AUTH_TOKEN ?? "";
  const base = settings.INKPOOL_TWILIO_URL ?? TWILIO_URL;
  const path = `/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`;
  const response = await fetch(`${base}${path}`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${account}:${token}`).toString("base64")}`,
    },
    body: new URLSearchParams(twilioForm(settings, message)),
    redirect: "error",
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (response.ok) return;
  // Twilio's message may contain the number, but its code does not.
  const code = /"code":\s*(\d+)/.exec(text)?.[1] ?? "none";
  throw new Error(`Twilio returned status ${response.status} with error ${code}`);
}

/**
 * Returns the form of a request. The sender is a messaging service or a number. WhatsApp marks both ends, and sends
 * an approved template with the code.
 */
function twilioForm(
  settings: AuthSettings,
  { phone, channel, code, text }: TextMessage,
): Record<string, string> {
  const sender = settings.GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID ?? "";
  if (channel === "sms") return { To: `+${phone}`, From: sender, Body: text };
  const template = settings.GOTRUE_SMS_TWILIO_CONTENT_SID;
  return {
    To: `whatsapp:+${phone}`,
    From: /^\+?\d+$/.test(sender) ? `whatsapp:${sender}` : sender,
    ...(template === null
      ? { Body: text }
      : { ContentSid: template, ContentVariables: JSON.stringify({ 1: code }) }),
  };
}

/** The settings of text messages: a part of the table of settings. */

import { address, choice, flag, whole } from "../../settings/kinds.ts";
import { block, duration, instant, optionalWords, pairs, secretText } from "./kinds.ts";

const DAY = 86_400;

export const SMS_SETTINGS = {
  GOTRUE_SMS_AUTOCONFIRM: flag(false, "A phone number counts as confirmed without a code."),
  GOTRUE_SMS_PROVIDER: choice(
    ["", "webhook", "twilio", "twilio_verify", "messagebird", "textlocal", "vonage"],
    "",
    "Who sends text messages when GOTRUE_HOOK_SEND_SMS_ENABLED is false: twilio. GoTrue's other providers are taken with a warning.",
  ),
  GOTRUE_SMS_TWILIO_ACCOUNT_SID: optionalWords("The account at Twilio."),
  GOTRUE_SMS_TWILIO_AUTH_TOKEN: secretText("The account's token at Twilio."),
  GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: optionalWords(
    "The messaging service at Twilio, or the number that sends.",
  ),
  GOTRUE_SMS_TWILIO_CONTENT_SID: optionalWords(
    "The template at Twilio for messages by WhatsApp; its first variable is the code.",
  ),
  INKPOOL_TWILIO_URL: address("Another address of Twilio's API, for tests and proxies."),
  GOTRUE_SMS_MAX_FREQUENCY: duration("60s", "At most one text message to one number in this time."),
  GOTRUE_SMS_OTP_EXP: whole([30, DAY], 60, "Seconds that a code in a text message is good for."),
  GOTRUE_SMS_OTP_LENGTH: whole([6, 10], 6, "Digits of a code in a text message."),
  GOTRUE_SMS_TEMPLATE: block("Your code is {{ .Code }}", "The text message."),
  GOTRUE_SMS_TEST_OTP: pairs(
    "Numbers that get no message and have a fixed code: number:code,number:code.",
  ),
  GOTRUE_SMS_TEST_OTP_VALID_UNTIL: instant("When the fixed codes end."),
  GOTRUE_HOOK_SEND_SMS_ENABLED: flag(false, "Text messages are handed to a webhook."),
  GOTRUE_HOOK_SEND_SMS_URI: address("The webhook; https, or http on this machine."),
  GOTRUE_HOOK_SEND_SMS_SECRETS: secretText(
    "Keys that sign the webhook's calls: v1,whsec_..., several with vertical bars between them.",
  ),
} as const;

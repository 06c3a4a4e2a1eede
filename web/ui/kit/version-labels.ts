/** Labels for a version of the drawing and its content. */

import { LIMITS } from "../../../board/constants.ts";
import { languageTag, plural, t } from "../language/text.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Units of an age, the greatest first, with their lengths in milliseconds. */
const UNITS = [
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
] as const;

const TIME = { hour: "2-digit", minute: "2-digit" } as const;
const DAY_AND_MONTH = { day: "numeric", month: "short" } as const;

/** Returns the visitor's local time, "14:05", and the day when it is not today: "3 Aug, 14:05". `now` is in milliseconds. */
export function versionTime(savedAt: string, now: number): string {
  const at = new Date(savedAt);
  if (Number.isNaN(at.getTime())) return t("an unknown time");
  const isToday = at.toDateString() === new Date(now).toDateString();
  return at.toLocaleString(languageTag(), isToday ? TIME : { ...DAY_AND_MONTH, ...TIME });
}

/** Returns an age such as "3 minutes ago", or "just now" for less than a minute. `now` is in milliseconds. */
export function versionAge(savedAt: string, now: number): string {
  const age = now - Date.parse(savedAt);
  const unit = UNITS.find(([, length]) => age >= length);
  if (!unit) return t("just now");
  const format = new Intl.RelativeTimeFormat(languageTag(), { numeric: "always" });
  return format.format(-Math.floor(age / unit[1]), unit[0]);
}

/** Returns a label such as "1 object", "12 objects", "10,500 objects". */
export function objectsLabel(count: number): string {
  return plural(count, "1 object", "{count} objects");
}

const KB = 1024;
const MB = 1024 * KB;

/** Returns a size such as "512 bytes", "48 KB", "9.5 MB", "10 MB". */
export function sizeLabel(bytes: number): string {
  if (bytes < KB) return plural(Math.round(bytes), "1 byte", "{count} bytes");
  return bytes < MB
    ? t("{count} KB", { count: Math.round(bytes / KB) })
    : t("{count} MB", { count: Number((bytes / MB).toFixed(1)) });
}

/** Returns the share of a drawing's greatest size, such as "5 %"; never 0 for something that takes space. */
export function shareLabel(bytes: number): string {
  const percent = (100 * bytes) / LIMITS.canvasBytes;
  if (percent > 0 && percent < 0.1) return t("less than 0.1 %");
  return t("{percent} %", {
    percent: percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent),
  });
}

/**
 * Returns a day such as "3 Aug", or "3 Aug 2025" where that is not the year of `now`. `day` is its first millisecond
 * since 1970 in UTC.
 */
export function dayLabel(day: number, now = Date.now()): string {
  const isThisYear = new Date(day).getUTCFullYear() === new Date(now).getUTCFullYear();
  return new Date(day).toLocaleDateString(languageTag(), {
    ...DAY_AND_MONTH,
    ...(!isThisYear && { year: "numeric" }),
    timeZone: "UTC",
  });
}

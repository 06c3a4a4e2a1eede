const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * Converts a time to the form in which PostgreSQL's JSON shows a timestamptz: UTC, microseconds without trailing
 * zeros, `+00:00`. In this form texts sort like times. A time without an offset is UTC. Null for anything else.
 */
export function parseTimestamp(text: string): string | null {
  const match = TIMESTAMP.exec(text.trim());
  if (match === null) return null;
  const [, year = "", month = "", day = "", hour = "0", minute = "0", second = "0"] = match;
  const offset = offsetMinutes(match[8]);
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const real = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!real || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Math.abs(offset) > 15 * 60 + 59) return null;
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second));
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return null;
  const fraction = (match[7] ?? "").slice(0, 6).replace(/0+$/, "");
  return `${date.toISOString().slice(0, 19)}${fraction === "" ? "" : `.${fraction}`}+00:00`;
}

function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined || /^z$/i.test(zone)) return 0;
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

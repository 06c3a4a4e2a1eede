/** The realtime settings of the environment: `REALTIME_` and the name of a limit in capitals. */

import { DEFAULT_LIMITS, LIMIT_TABLE } from "./limits.ts";
import type { LimitName, Limits } from "./limits.ts";

export interface RealtimeSettings {
  readonly limits: Limits;
  /** Broadcast events that a receiver with a long queue may miss. */
  readonly droppableEvents: ReadonlySet<string>;
}

/** One line each, naming the variable, what is wrong and what is expected. */
type RealtimeSettingsResult =
  | { readonly ok: true; readonly settings: RealtimeSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What is happening right now: the next one replaces it. */
const DROPPABLE_EVENTS: readonly string[] = ["canvas-live"];

const DEFAULT_SETTINGS: RealtimeSettings = {
  limits: DEFAULT_LIMITS,
  droppableEvents: new Set(DROPPABLE_EVENTS),
};

const PREFIX = "REALTIME_";
const DROPPABLE = `${PREFIX}DROPPABLE_EVENTS`;

/** `messagesPerSecond` is set by `REALTIME_MESSAGES_PER_SECOND`. */
export function settingName(name: LimitName): string {
  return PREFIX + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** An empty variable counts as not given; an unknown `REALTIME_` name is refused, since it is a slip. */
export function parseRealtimeSettings(
  env: Readonly<Record<string, string | undefined>>,
): RealtimeSettingsResult {
  const problems: string[] = [];
  const limits: Record<LimitName, number> = { ...DEFAULT_LIMITS };
  const known = new Set<string>([DROPPABLE]);
  for (const name of Object.keys(LIMIT_TABLE) as LimitName[]) {
    const variable = settingName(name);
    known.add(variable);
    const text = env[variable]?.trim() ?? "";
    if (text === "") continue;
    const { min, max, means } = LIMIT_TABLE[name];
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) limits[name] = value;
    else
      problems.push(
        `${variable} ${JSON.stringify(text)} is not valid; expected a whole number from ${min} to ${max} (${means})`,
      );
  }
  for (const variable of Object.keys(env))
    if (variable.startsWith(PREFIX) && !known.has(variable))
      problems.push(`${variable} is unknown; expected one of ${[...known].join(", ")}`);
  if (limits.frameBytes < limits.payloadBytes)
    problems.push(
      `${settingName("frameBytes")} is smaller than ${settingName("payloadBytes")}; expected a frame to hold a payload`,
    );
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, settings: { limits, droppableEvents: droppable(env[DROPPABLE]) } };
}

/** A list with commas; `none` leaves nothing out. */
function droppable(text: string | undefined): ReadonlySet<string> {
  const names = (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) return DEFAULT_SETTINGS.droppableEvents;
  return new Set(names.length === 1 && names[0] === "none" ? [] : names);
}

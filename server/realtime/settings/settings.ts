/** The realtime settings of the environment: `REALTIME_` and the name of a limit in capitals. */

import { list, type Setting } from "../../settings/kinds.ts";
import {
  givenVariables,
  readSetting,
  readTable,
  unknownSetting,
  type Variables,
} from "../../settings/read.ts";
import { LIMIT_TABLE, type LimitName, type Limits } from "./limits.ts";

export interface RealtimeSettings {
  readonly limits: Limits;
  /** Broadcast events that a receiver with a long queue may miss. */
  readonly droppableEvents: ReadonlySet<string>;
}

/** The result. Each problem is one line that names the variable, the fault and the expected value. */
type RealtimeSettingsResult =
  | { readonly ok: true; readonly settings: RealtimeSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

const PREFIX = "REALTIME_";
const LIMIT_NAMES = Object.keys(LIMIT_TABLE) as LimitName[];

/** Returns the name of a limit's setting: `messagesPerSecond` is set by `REALTIME_MESSAGES_PER_SECOND`. */
export function settingName(name: LimitName): string {
  return PREFIX + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

const LIMITS: Readonly<Record<string, Setting<number>>> = Object.fromEntries(
  LIMIT_NAMES.map((name) => [settingName(name), LIMIT_TABLE[name]]),
);

const DROPPABLE_NAME = `${PREFIX}DROPPABLE_EVENTS`;

/** The default of the droppable events. Live activity may be dropped, since the next message replaces it. */
const DROPPABLE = list(
  ["canvas-live"],
  "Broadcast events that a slow receiver may miss; `none` for no event.",
);

/** Names of settings in earlier versions. */
const ALIASES: Readonly<Record<string, string>> = {
  REALTIME_ROOM_MEMBERS: settingName("topicMembers"),
};

/** Parses the settings. An empty variable counts as absent; an unknown `REALTIME_` name is refused, since it is a slip. */
export function parseRealtimeSettings(variables: Variables): RealtimeSettingsResult {
  const problems: string[] = [];
  const given = new Map(
    [...givenVariables(variables)].map(([name, text]) => [ALIASES[name] ?? name, text]),
  );
  const values = readTable(LIMITS, given, problems);
  const droppable = readSetting(DROPPABLE_NAME, DROPPABLE, given, problems);
  const known = [...Object.keys(LIMITS), DROPPABLE_NAME];
  for (const name of given.keys())
    if (name.startsWith(PREFIX) && !known.includes(name))
      problems.push(unknownSetting(name, known, `one of ${known.join(", ")}`));
  const limits = Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, values[settingName(name)]]),
  ) as Record<LimitName, number>;
  if (limits.frameBytes < limits.payloadBytes)
    problems.push(
      `${settingName("frameBytes")} is smaller than ${settingName("payloadBytes")}; expected a frame that a payload fits into`,
    );
  if (problems.length > 0) return { ok: false, problems };
  const events = droppable.join() === "none" ? [] : droppable;
  return { ok: true, settings: { limits, droppableEvents: new Set(events) } };
}

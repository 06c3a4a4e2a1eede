/** Decides which broadcasts the lock of the board stops, and makes the message by which the server reports the lock. */

import { CHANNEL } from "../../../board/constants.ts";
import { EVENTS } from "../../../board/messages.ts";
import type { Adding, BoardAccess, Drawer, Newcomers } from "../../access/port.ts";
import { REPLY_FAULTS } from "../payloads/faults.ts";
import type { BroadcastContent } from "../wire/outgoing.ts";
import { measureDrawing } from "./drawing-size.ts";
import { topicKey } from "./hub.ts";

/** The topic of the page's channel. */
export const BOARD_TOPIC = topicKey(`realtime:${CHANNEL}`, false);

const DRAWINGS: ReadonlySet<string> = new Set([EVENTS.update, EVENTS.live]);

/** Returns the reason why a client may not broadcast the event now, or null. Private and other topics are no way around it. */
export function refusedEvent(
  { mayDraw, pauses, roleOf }: Pick<BoardAccess, "mayDraw" | "pauses" | "roleOf">,
  who: Drawer,
  event: string,
): string | null {
  if (event === EVENTS.settings) return REPLY_FAULTS.serverEvent;
  if (event === EVENTS.takenBack)
    return roleOf(who.claims) === "host" ? null : REPLY_FAULTS.hostEvent;
  if (!DRAWINGS.has(event)) return null;
  if (!mayDraw(who.claims)) return REPLY_FAULTS.boardLocked;
  return pauses.isPaused(who) ? REPLY_FAULTS.paused : null;
}

/** Whether a newcomer's limit lets the broadcast pass. Do not ask about one that is refused for another reason. */
export function mayAdd(
  newcomers: Newcomers | null,
  who: Adding,
  { event, payload }: BroadcastContent,
): boolean {
  return (
    newcomers === null ||
    event !== EVENTS.update ||
    newcomers.announce(who, measureDrawing(payload))
  );
}

/** Returns the message by which members learn about the lock. */
export function settingsContent(locked: boolean): BroadcastContent {
  const payload = Buffer.from(JSON.stringify({ locked }));
  return { event: EVENTS.settings, encoding: 1, checked: true, payload };
}

/** Returns the same message as the payload of a text frame, which goes to one channel. */
export function settingsJson(locked: boolean): string {
  return JSON.stringify({ type: "broadcast", event: EVENTS.settings, payload: { locked } });
}

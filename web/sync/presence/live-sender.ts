/** Broadcasts what the visitor is doing right now: one live message for each tick, and fewer as people join. */

import type { ObjectId } from "../../../board/drawing.ts";
import type { InkLook, LiveSink, LiveTransform } from "../../../board/live.ts";
import {
  encodeLive,
  MAX_SELECTED,
  type EncodedLiveMessage,
  type LiveInk,
  type LiveMessage,
} from "../../../board/messages.ts";
import { simplify } from "../../../board/simplify.ts";
import type { Clock } from "../environment/environment.ts";
import { type Sent, createThrottle, createTimer } from "../environment/timing.ts";

/** Messages per second of one client, at most. */
const MAX_RATE = 20;
/** Ink is heavier than a pointer, and is played through a buffer anyway. */
const INK_RATE = 16;
/** Below this a preview is of no use: the finished object arrives as fast. */
const MIN_RATE = 1;
/** The part of the budget that live messages may take. */
const LIVE_SHARE = 0.6;
/** With more clients, one that only points gets a quarter of what it would get if all of them pointed. */
const FEW = 50;
/**
 * Milliseconds. A client names once in this time what it draws or drags, at rest too, since peers drop what was not
 * named for 2 s. It repeats colour and width of a stroke and the position of a drag, for peers that missed them.
 */
const HEARTBEAT = 1_000;
/** Milliseconds after which a message names the selected objects again, for peers that missed them. */
const REPEAT_SELECTION = 2_000;
/** Milliseconds from an activity to its message at least, so that the browser paints it first. */
const LEAD = 20;
/** Pixels: points nearer than this to the line through their neighbours are not sent. */
const TOLERANCE = 0.5;

/**
 * Messages per second for this client, where all together may cost `budget` messages per second: each counts once
 * when it is sent and once for each copy that is delivered to the `online` clients. `peers`: how many of them sent
 * live messages of late, and how many ink or dragged objects; this client is one more. Many who watch and move
 * their pointers take nothing from those who draw: in a crowd each points as if everybody did, or not at all.
 * Returns 0 when there is no peer to see it. A presence alone costs little: who only watches sends nothing.
 */
export function liveRate(
  online: number,
  peers: { readonly senders: number; readonly drawing: number },
  budget: number,
  isDrawing: boolean,
): number {
  if (online < 2) return 0;
  let clients = peers.senders + 1;
  if (online > FEW) clients = isDrawing ? peers.drawing + 1 : 4 * online;
  const rate = Math.min(MAX_RATE, (LIVE_SHARE * budget) / (clients * online));
  return rate < MIN_RATE ? 0 : rate;
}

export interface LiveSender {
  readonly sink: LiveSink;
  /** Has the next message state the look of the strokes in progress, for a peer that joined. */
  readonly repeatStyles: () => void;
  /** Sends the selection again, for a peer that joined. */
  readonly repeatSelection: () => void;
  readonly stop: () => void;
}

export interface LiveSenderDependencies {
  readonly clock: Clock;
  readonly clientId: string;
  /** Messages per second now; `isDrawing`: they carry ink, dragged objects or a selection. */
  readonly rate: (isDrawing: boolean) => number;
  /** Returns false while the channel is not joined. */
  readonly send: (message: EncodedLiveMessage) => boolean;
}

interface Stroke {
  readonly color: string;
  readonly width: number;
  look: InkLook;
  /** Points before `unsent`, as peers count them. */
  offset: number;
  unsent: number[];
  styleSentAt: number;
  end: ObjectId | null | undefined;
}

/** The visitor's activity, as far as it was not sent. */
interface Activity {
  readonly strokes: Map<string, Stroke>;
  pointer: LiveMessage["pointer"];
  drags: readonly LiveTransform[] | undefined;
  line: LiveMessage["line"];
  /** The objects that are dragged and the line that is drawn, as they are now; sent or not. */
  readonly held: Pick<Activity, "drags" | "line">;
  heldSentAt: number;
  /** Undefined before the first selection. */
  selected: readonly ObjectId[] | undefined;
  isSelectionNew: boolean;
  selectionSentAt: number;
}

/** Sends nothing before the sink is called. */
export function createLiveSender({
  clock,
  clientId,
  rate,
  send,
}: LiveSenderDependencies): LiveSender {
  const activity: Activity = {
    strokes: new Map(),
    pointer: undefined,
    drags: undefined,
    line: undefined,
    held: { drags: undefined, line: undefined },
    heldSentAt: Number.NEGATIVE_INFINITY,
    selected: undefined,
    isSelectionNew: false,
    selectionSentAt: Number.NEGATIVE_INFINITY,
  };
  const { strokes } = activity;
  const heartbeat = createTimer(clock);
  let tick = 0;
  const rateNow = (): number => rate(isDrawing(activity));

  const sendTick = (isHeartbeat: boolean): Sent => {
    if (!isHeartbeat && !hasUnsent(activity)) return "nothing";
    const message =
      rateNow() === 0 ? null : takeMessage(activity, clock.now(), isHeartbeat, { clientId, tick });
    const sent = message !== null && send(encodeLive(message));
    forget(activity);
    if (!sent) {
      activity.selectionSentAt = Number.NEGATIVE_INFINITY;
      return "nothing";
    }
    tick += 1;
    return "all";
  };
  const interval = (): number =>
    1000 / Math.min(rateNow() || MAX_RATE, strokes.size > 0 ? INK_RATE : MAX_RATE);
  const throttle = createThrottle(clock, interval, () => sendTick(false), LEAD);
  let scheduledAt = 0;
  /** The timer is not set anew for each move of a pointer: that costs as much as to paint one. */
  const beat = (): void => {
    if (strokes.size === 0 && !isHolding(activity)) return;
    const waited = clock.now() - scheduledAt;
    if (waited >= HEARTBEAT) sendTick(true);
    heartbeat.set(waited < HEARTBEAT ? HEARTBEAT - waited : HEARTBEAT, beat);
  };
  const schedule = (): void => {
    throttle.schedule();
    scheduledAt = clock.now();
    if (!heartbeat.isSet) beat();
  };
  const sendSelection = (): void => {
    activity.isSelectionNew = true;
    throttle.schedule();
  };

  return {
    sink: createSink(activity, schedule, sendSelection),
    repeatStyles() {
      for (const stroke of strokes.values()) stroke.styleSentAt = Number.NEGATIVE_INFINITY;
    },
    repeatSelection() {
      if (activity.selected?.length) sendSelection();
    },
    stop() {
      throttle.stop();
      heartbeat.clear();
    },
  };
}

/** `schedule` is called when there is something to send. */
function createSink(activity: Activity, schedule: () => void, sendSelection: () => void): LiveSink {
  const { strokes } = activity;
  return {
    pointer(at) {
      activity.pointer = at;
      schedule();
    },
    inkStart(name, color, width, look = "ink") {
      const styleSentAt = Number.NEGATIVE_INFINITY;
      strokes.set(name, { color, width, look, offset: 0, unsent: [], styleSentAt, end: undefined });
    },
    inkPoints(name, points) {
      strokes.get(name)?.unsent.push(...points);
      schedule();
    },
    inkEnd(name, end) {
      const stroke = strokes.get(name);
      if (!stroke) return;
      stroke.end = end === "fades" ? null : end;
      // Fading ink that was cancelled does not stay: it ends as other ink does.
      if (end === null) stroke.look = "ink";
      schedule();
    },
    line(line, end = null) {
      if (!line && !activity.held.line) return;
      activity.held.line = line ?? undefined;
      activity.line = line ?? { end };
      schedule();
    },
    drag(transforms) {
      if (transforms.length === 0 && !activity.held.drags) return;
      activity.held.drags = transforms.length > 0 ? transforms : undefined;
      activity.drags = transforms;
      schedule();
    },
    select(ids) {
      if (ids.length === 0 && !activity.selected?.length) return;
      activity.selected = ids.slice(0, MAX_SELECTED);
      sendSelection();
    },
  };
}

function isHolding({ held }: Activity): boolean {
  return (held.drags ?? held.line) !== undefined;
}

function isDrawing(activity: Activity): boolean {
  const { strokes, drags, line, isSelectionNew } = activity;
  const isMoving = (drags ?? line) !== undefined || isHolding(activity);
  return strokes.size > 0 || isMoving || isSelectionNew;
}

function hasUnsent({ pointer, drags, line, strokes, isSelectionNew }: Activity): boolean {
  if ((pointer ?? drags ?? line) !== undefined || pointer === null || isSelectionNew) return true;
  return [...strokes.values()].some(
    (stroke) => stroke.unsent.length > 0 || stroke.end !== undefined,
  );
}

/** The message after `tick`. A heartbeat, and a message as long after the last one, names all that is in progress. */
function takeMessage(
  activity: Activity,
  now: number,
  isHeartbeat: boolean,
  { clientId, tick }: Pick<LiveMessage, "clientId" | "tick">,
): LiveMessage {
  if (isHeartbeat || now - activity.heldSentAt >= HEARTBEAT) {
    activity.heldSentAt = now;
    activity.drags ??= activity.held.drags;
    activity.line ??= activity.held.line;
  }
  const { pointer, drags, line, strokes, selected } = activity;
  const isDue = activity.isSelectionNew || now - activity.selectionSentAt >= REPEAT_SELECTION;
  if (isDue) activity.selectionSentAt = now;
  const ink = [...strokes].flatMap(([name, stroke]) => takeInk(name, stroke, now, isHeartbeat));
  return {
    clientId,
    tick: tick + 1,
    ink,
    // While inking, the pointer is where the ink ends.
    ...(pointer === undefined || ink.length > 0 ? {} : { pointer }),
    ...(drags !== undefined && { drags }),
    ...(line !== undefined && { line }),
    ...(selected && isDue && { selected }),
  };
}

function takeInk(name: string, stroke: Stroke, now: number, isHeartbeat: boolean): LiveInk[] {
  const withStyle = isHeartbeat || now - stroke.styleSentAt >= HEARTBEAT;
  if (!withStyle && stroke.unsent.length === 0 && stroke.end === undefined) return [];
  const points = simplify(stroke.unsent, TOLERANCE);
  if (withStyle) stroke.styleSentAt = now;
  const { offset } = stroke;
  stroke.offset += points.length / 2;
  stroke.unsent = [];
  return [
    {
      stroke: name,
      offset,
      points,
      ...(withStyle && { color: stroke.color, width: stroke.width }),
      ...(stroke.look === "fading" || (withStyle && stroke.look !== "ink")
        ? { look: stroke.look }
        : {}),
      ...(stroke.end !== undefined && { end: stroke.end }),
    },
  ];
}

/** Drops the content that could not be sent: a preview is of no use afterwards. */
function forget(activity: Activity): void {
  activity.pointer = undefined;
  activity.drags = undefined;
  activity.line = undefined;
  activity.isSelectionNew = false;
  for (const [name, stroke] of activity.strokes) {
    stroke.offset += stroke.unsent.length / 2;
    stroke.unsent = [];
    if (stroke.end !== undefined) activity.strokes.delete(name);
  }
}

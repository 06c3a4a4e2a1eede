/** Runs the saves that `saving.ts` decides on. */

import { TEXTS } from "../../board/spec.ts";
import type { SavedState, SaveOutcome, SharedRow } from "./row.ts";
import { isNews, nextSaving, type Saving, type SavingEvent } from "./saving.ts";
import type { TimerId, World } from "./world.ts";

export interface Saver {
  readonly saving: boolean;
  /** The board changed here. */
  changed(): void;
  /** Save as soon as may be. */
  hurry(): void;
  stop(): void;
}

export interface SaverParts {
  readonly row: SharedRow;
  readonly world: World;
  readonly needsSave: () => boolean;
  /** What the person must be told; once for each streak of failures. */
  readonly onFailure: (text: string) => void;
  readonly onSaved: (state: SavedState) => void;
  /** Whether the backend was reached. */
  readonly onReach: (reached: boolean) => void;
  /** Something of the above may have changed. */
  readonly onChange: () => void;
}

export function createSaver(parts: SaverParts): Saver {
  const { row, world } = parts;
  const { clock } = world;
  let state: Saving = { at: "rest" };
  let timer: TimerId | null = null;
  let stopped = false;

  const feed = (event: SavingEvent): void => {
    if (stopped) return;
    const before = state;
    state = nextSaving(state, event, clock.now());
    if (timer !== null) clock.clearTimer(timer);
    timer = null;
    if (state.at === "due" || state.at === "failed") {
      timer = clock.setTimer(() => feed({ type: "timer" }), Math.max(0, state.due - clock.now()));
    }
    if (state.at === "busy" && before.at !== "busy") void run();
    if (state.at !== before.at) parts.onChange();
  };
  const run = async (): Promise<void> => {
    if (!parts.needsSave()) return feed({ type: "saved" });
    const outcome = await row.save().catch((fault: unknown): SaveOutcome => ({
      ok: false,
      fault: { kind: "refused", message: String(fault) },
    }));
    if (stopped) return;
    parts.onReach(outcome.ok || !("fault" in outcome) || outcome.fault.kind !== "network");
    if (outcome.ok) {
      if (outcome.state) parts.onSaved(outcome.state);
      return feed({ type: "saved" });
    }
    const { text, patient } = describe(outcome);
    if (isNews(state, text)) parts.onFailure(text);
    if ("fault" in outcome) world.log.error(`The canvas was not saved: ${outcome.fault.message}`);
    feed({ type: "failed", text, patient, dice: world.random() });
  };

  return {
    get saving() {
      return state.at === "busy";
    },
    changed: () => feed({ type: "changed" }),
    hurry: () => feed({ type: "hurry" }),
    stop() {
      stopped = true;
      if (timer !== null) clock.clearTimer(timer);
      timer = null;
    },
  };
}

/** The words of the specification, and whether trying again is of no use before the drawing changes. */
function describe(outcome: Exclude<SaveOutcome, { ok: true }>): {
  readonly text: string;
  readonly patient: boolean;
} {
  if ("invalid" in outcome) return { text: TEXTS.cannotSave(outcome.invalid), patient: true };
  if (outcome.fault.kind === "size") return { text: TEXTS.tooLargeToSave, patient: true };
  return { text: TEXTS.saveFailed, patient: false };
}

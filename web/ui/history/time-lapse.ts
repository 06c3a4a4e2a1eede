/** Plays the versions of the drawing in the preview, the oldest first. */

import type { Drawing } from "../../../board/drawing.ts";
import type { Signal } from "../../sync/port.ts";
import { createSignal } from "../../sync/environment/signal.ts";
import type { StartTimer } from "../kit/announcer.ts";
import type { Previewed } from "../controller/board-access.ts";
import type { BoardVersions } from "./versions.ts";

export interface TimeLapseState {
  readonly playing: boolean;
  /** The index of the version that is shown, or from which playing continues. */
  readonly at: number;
}

export interface TimeLapse {
  readonly state: Signal<TimeLapseState>;
  /** Takes over the present versions, the oldest first. The shown one keeps its position among the others. */
  readonly update: (versions: readonly Previewed[]) => void;
  /** Continues from the version that is shown; from the oldest when there is none, or when it is the newest. */
  readonly play: () => void;
  readonly pause: () => void;
  /** Shows one version, and stops playing. */
  readonly show: (at: number) => void;
  /** Begins to watch the preview: anything else shown there ends the playing. The returned function ends the watching. */
  readonly open: () => () => void;
}

export interface TimeLapseDependencies {
  readonly versions: Pick<BoardVersions, "preview" | "show" | "settled" | "load">;
  readonly startTimer: StartTimer;
  /** Keeps the present picture until the returned function is called, since a version is painted in slices. */
  readonly cover: () => () => void;
}

/** Milliseconds for which each version is shown. */
export const STEP = 1_000;

interface LoadedVersion {
  readonly id: string;
  /** The drawing; null when it cannot be loaded, or is no longer needed. */
  readonly drawing: Promise<Drawing | null>;
}

function loadVersion(
  versions: Pick<BoardVersions, "load">,
  version: Previewed | undefined,
  signal: AbortSignal,
): LoadedVersion | null {
  if (!version) return null;
  const loaded = versions.load(version.id, (drawing) => drawing, { signal });
  return { id: version.id, drawing: loaded.then((drawing) => drawing ?? null).catch(() => null) };
}

/** Returns the index in the next list of the version at a position of the previous list, or the nearest one. */
function positionIn(next: readonly Previewed[], list: readonly Previewed[], at: number): number {
  const id = list[at]?.id;
  const found = next.findIndex((version) => version.id === id);
  return found >= 0 ? found : Math.max(0, Math.min(at, next.length - 1));
}

/** Makes one cover, however many versions are chosen before one of them is painted. */
function createCover(cover: TimeLapseDependencies["cover"]) {
  let uncover: (() => void) | null = null;
  let begun = 0;
  return {
    /** Covers the canvas. The returned function says whether nothing was begun afterwards. */
    begin(): () => boolean {
      const mine = ++begun;
      uncover ??= cover();
      return () => mine === begun;
    },
    end(): void {
      uncover?.();
      uncover = null;
    },
  };
}

/**
 * Makes a time lapse that shows nothing yet. It loads one version ahead of the one that is shown, and keeps no others
 * in memory.
 */
export function createTimeLapse({ versions, startTimer, cover }: TimeLapseDependencies): TimeLapse {
  const state = createSignal<TimeLapseState>({ playing: false, at: 0 });
  let list: readonly Previewed[] = [];
  let shownId: string | null = null;
  /** Aborted with each choice of the visitor, after which earlier work has no effect. */
  let run = new AbortController();
  let ahead: LoadedVersion | null = null;
  const covering = createCover(cover);
  const set = (part: Partial<TimeLapseState>): void => state.set({ ...state.get(), ...part });
  const stop = (): void => {
    run.abort();
    run = new AbortController();
    set({ playing: false });
  };
  const display = async (at: number, { signal }: AbortController): Promise<void> => {
    const version = list[at];
    if (!version) return;
    const loaded = ahead?.id === version.id ? await ahead.drawing : null;
    if (signal.aborted) return;
    ahead = null;
    set({ at });
    shownId = version.id;
    const isLatest = covering.begin();
    versions.show(version, loaded ?? undefined);
    await versions.settled();
    if (isLatest()) covering.end();
  };
  const step = async (at: number, current: AbortController): Promise<void> => {
    await display(at, current);
    if (current.signal.aborted) return;
    const next = (): number => state.get().at + 1;
    if (next() >= list.length) return set({ playing: false });
    ahead = loadVersion(versions, list[next()], current.signal);
    // A list that changes meanwhile moves the index.
    const cancel = startTimer(() => void step(next(), current), STEP);
    current.signal.addEventListener("abort", cancel, { once: true });
  };
  const follow = (): void => {
    const preview = versions.preview.get();
    const isOurs = preview.state !== "none" && preview.id === shownId;
    // A version that was removed is skipped.
    const isLost = preview.state === "failed" && preview.reason === "unreachable";
    if (state.get().playing && (!isOurs || isLost)) stop();
    if (isOurs) return;
    covering.end();
    const at = preview.state === "none" ? -1 : list.findIndex(({ id }) => id === preview.id);
    if (at >= 0) set({ at });
  };

  return {
    state,
    update(next) {
      const at = positionIn(next, list, state.get().at);
      list = next;
      set({ at });
    },
    play() {
      stop();
      if (list.length === 0) return;
      const { at } = state.get();
      const goesOn = versions.preview.get().state === "shown" && at < list.length - 1;
      set({ playing: true });
      void step(goesOn ? at + 1 : 0, run);
    },
    pause: stop,
    show(at) {
      stop();
      void display(at, run);
    },
    open() {
      const close = versions.preview.subscribe(follow);
      return () => {
        close();
        stop();
        covering.end();
        ahead = null;
      };
    },
  };
}

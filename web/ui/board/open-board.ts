/** Opens the board: a sync client bound to a canvas, from the loading of their code until the page closes it. */

import type { CanvasAction, CanvasSurface, SelectionFrame, ViewState } from "../../canvas/port.ts";
import { backoff } from "../../sync/environment/timing.ts";
import type { Presence } from "../../sync/presence/peers.ts";
import type { Notice, ReplicaChange, SaveState, Signal, SyncClient } from "../../sync/port.ts";
import type { Emitter, WritableSignal } from "../../sync/environment/signal.ts";
import type { BoardView } from "./view.ts";
import { bindCanvas, type CanvasBinding } from "./canvas-binding.ts";
import type { CanvasRef } from "./canvas-ref.ts";
import { localConfig, type PageConfig } from "./config.ts";
import { recordInput } from "./early-input.ts";
import type { PageEnvironment, PageLoads } from "./environment.ts";
import type { SidePanelName } from "../language/side-panels.ts";

/** The state of opening the board. `failed`: the code of canvas or sync client did not arrive, or did not run. */
export type Progress = "loading" | "ready" | "failed";

/** The state of the board that the page shows. */
export interface BoardSignals {
  readonly productName: WritableSignal<string>;
  readonly progress: WritableSignal<Progress>;
  readonly presence: WritableSignal<Presence>;
  readonly saveState: WritableSignal<SaveState>;
  readonly connected: WritableSignal<boolean>;
  /** Whether a host has locked the board. */
  readonly locked: WritableSignal<boolean>;
  /** Whether the board is locked and this page may not draw. */
  readonly blocked: WritableSignal<boolean>;
  readonly history: WritableSignal<{ readonly canUndo: boolean; readonly canRedo: boolean }>;
  /** The number of selected objects. */
  readonly selected: WritableSignal<number>;
  /** The box in which they are shown, in CSS pixels of the canvas; null without any, or while they are dragged. */
  readonly selectionFrame: WritableSignal<SelectionFrame | null>;
  readonly view: WritableSignal<ViewState>;
}

/** The view of every start. */
export const START_VIEW: ViewState = {
  ...{ percent: 100, moved: false, more: null, outside: null, fingerPans: null, peers: [] },
  ...{ large: false, leftOut: 0, located: [], following: null },
};

/** An event on the board, of which the visitor is notified. */
export type Action =
  /** An edit of this visitor, or, with the origin "remote", of peers. */
  | ({ readonly kind: "edit" } & ReplicaChange)
  | CanvasAction
  | Extract<Notice, { readonly kind: "joined" }>;

export interface OpenBoardDependencies {
  readonly env: PageEnvironment;
  readonly signals: BoardSignals;
  readonly canvasRef: CanvasRef;
  readonly board: BoardState;
  /** The panel beside the canvas; null for none. */
  readonly panel: {
    readonly get: () => SidePanelName | null;
    readonly open: (panel: SidePanelName | null) => void;
  };
  readonly act: (action: Action) => void;
  /** Called when the board is about to close, with everything that is shown in its place. */
  readonly onEnd: () => void;
}

export interface BoardState {
  client: SyncClient | null;
  view: BoardView | null;
  /** Emits the changes of each client in turn: the one that has no configuration, and the one that has it. */
  readonly changes: Emitter<ReplicaChange>;
  /** Resolves at the end of the board before: two clients of one page would share one journal. */
  ending: Promise<void>;
}

/** First and longest pause before the configuration is requested again, in milliseconds. */
const CONFIG_RETRY = { first: 1_000, max: 10_000 };

/**
 * Resolves when the board is open; the board closes when `signal` is aborted. Without a configuration it is local,
 * and is opened again when the server provides one. Rejects when the code does not arrive.
 */
export async function openBoard(
  dependencies: OpenBoardDependencies,
  surface: CanvasSurface,
  signal: AbortSignal,
): Promise<void> {
  const { env, signals, board, canvasRef } = dependencies;
  canvasRef.call(recordInput(surface.host));
  const canvasCode = env.loads.canvas();
  canvasCode.catch(() => undefined);
  const firstConfig = env.loads.config().catch((reason: unknown) => {
    env.log("the configuration could not be loaded; trying again", reason);
    return null;
  });
  const createClient = await env.loads.syncClient();
  const config = await firstConfig;
  await board.ending;
  if (signal.aborted) return;

  const local = localConfig(env.address, env.productName);
  let binding = bindClient(dependencies, createClient(config ?? local), surface, canvasCode);
  signal.addEventListener("abort", () => {
    board.ending = binding.end();
  });
  if (config) return signals.productName.set(config.productName);

  const found = await retryConfig(env, signal);
  if (!found) return;
  await env.released(surface.host);
  // The first client writes its pending edits to the journal before the second one reads them there.
  await binding.end();
  if (signal.aborted) return;
  signals.productName.set(found.productName);
  binding = bindClient(dependencies, createClient(found), surface, canvasCode);
}

function bindClient(
  { env, signals, canvasRef, board, panel, act, onEnd }: OpenBoardDependencies,
  client: SyncClient,
  { host, view }: CanvasSurface,
  canvasCode: ReturnType<PageLoads["canvas"]>,
): CanvasBinding {
  board.client = client;
  const unsubscribe = [
    copySignal(client.presence, signals.presence),
    copySignal(client.saveState, signals.saveState),
    copySignal(client.connected, signals.connected),
    copySignal(client.locked, signals.locked),
    copySignal(client.blocked, signals.blocked),
    client.blocked.subscribe(() => board.view?.setBlocked(client.blocked.get())),
    copySignal(client.history, signals.history),
    client.onChanges(board.changes.emit),
    client.onNotice((notice) => {
      if (notice.kind === "joined") return act(notice);
      if (notice.kind === "void-link" && panel.get() === "host") panel.open(null);
      env.notices.show(notice, panel.open);
    }),
  ];
  // It is emptied at the end, so that nothing refers to the page's elements any more.
  const element: { host?: HTMLElement } = { host };
  const binding = bindCanvas(
    client,
    () => ({ host: element.host!, ...canvasRef.size, view }),
    canvasCode,
    {
      onCanvas(canvas, view) {
        board.view = view;
        view.setBlocked(client.blocked.get());
        canvasRef.attach(canvas);
      },
      onSelection: (count) => signals.selected.set(count),
      onSelectionFrame: (frame) => signals.selectionFrame.set(frame),
      onView: (state) => signals.view.set(state),
      onReady: () => signals.progress.set("ready"),
      onAction: act,
      fetchAhead(fetch) {
        if (env.fetchAhead.get()) fetch();
        else unsubscribe.push(env.fetchAhead.subscribe(fetch));
      },
      onChanges: (change) => act({ kind: "edit", ...change }),
      onFault: (what, reason) => {
        env.log(what, reason);
        if (!canvasRef.canvas) signals.progress.set("failed");
      },
    },
  );
  return {
    async end() {
      onEnd();
      canvasRef.detach();
      board.client = null;
      board.view = null;
      delete element.host;
      signals.selected.set(0);
      signals.selectionFrame.set(null);
      signals.view.set(START_VIEW);
      for (const stop of unsubscribe) stop();
      await binding
        .end()
        .catch((reason: unknown) => env.log("the sync client did not close cleanly", reason));
    },
  };
}

/** Requests the configuration until it arrives; null when `signal` is aborted first. */
async function retryConfig(env: PageEnvironment, signal: AbortSignal): Promise<PageConfig | null> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    await wait(env, backoff(failures, env.random(), CONFIG_RETRY), signal);
    const config = signal.aborted ? null : await env.loads.config().catch(() => null);
    if (config) return config;
  }
  return null;
}

/** Resolves after `ms`, or when `signal` is aborted. */
function wait(env: PageEnvironment, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = env.startTimer(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}

/** Copies a signal's value into another one, now and whenever it changes. */
function copySignal<T>(from: Signal<T>, to: WritableSignal<T>): () => void {
  to.set(from.get());
  return from.subscribe(() => to.set(from.get()));
}

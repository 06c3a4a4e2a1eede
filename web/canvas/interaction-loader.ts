/**
 * Fetches the code of the interaction, Fabric above all, when the board has been painted or when it is first needed,
 * whichever is earlier: drawing does not wait for it. Work that is requested earlier runs in order when the code has
 * arrived.
 */

import type { Interaction, InteractionDependencies } from "./interaction.ts";

type Work = (interaction: Interaction) => void;

export class InteractionLoader {
  private readonly deps: InteractionDependencies;
  private interaction: Interaction | undefined;
  private loading: Promise<void> | undefined;
  private waiting: Work[] = [];
  private disposed = false;
  /** Ends the listening to keys. */
  private readonly keys = new AbortController();

  constructor(deps: InteractionDependencies) {
    this.deps = deps;
    this.keepKeys();
  }

  /** The interaction; undefined until its code has arrived. */
  get loaded(): Interaction | undefined {
    return this.interaction;
  }

  /** Fetches the code. Never rejects: after a failure, which is reported, the next call tries again. */
  load(): Promise<void> {
    this.loading ??= Promise.all([
      import("./interaction.ts"),
      this.deps.board.content.prepare(),
    ]).then(
      ([code]) => this.start(code),
      (fault: unknown) => {
        this.loading = undefined;
        reportError(fault);
      },
    );
    return this.loading;
  }

  /** Runs the work now, or fetches the code and runs it when that has arrived. */
  run(work: Work): void {
    this.whenLoaded(work);
    if (!this.interaction) void this.load();
  }

  /** Runs the work now, or when the code has arrived, without fetching it. */
  whenLoaded(work: Work): void {
    if (this.interaction) work(this.interaction);
    else this.waiting.push(work);
  }

  /** Drops the work that still waits, listens to no keys any more, and disposes of the interaction. */
  async dispose(): Promise<void> {
    this.disposed = true;
    this.waiting = [];
    this.keys.abort();
    await this.interaction?.dispose();
  }

  /** Repeats keys that were pressed on the canvas before the code arrived, for the canvas alone. */
  private keepKeys(): void {
    const { host } = this.deps.viewport.layers;
    const keep = (event: KeyboardEvent): void => {
      const { type, key, shiftKey, ctrlKey, metaKey, altKey, repeat, target } = event;
      if (target !== host || event.defaultPrevented) return;
      const copy = { key, shiftKey, ctrlKey, metaKey, altKey, repeat, cancelable: true };
      this.run(() => host.dispatchEvent(new KeyboardEvent(type, copy)));
    };
    host.addEventListener("keydown", keep, this.keys);
    host.addEventListener("keyup", keep, this.keys);
    this.whenLoaded(() => this.keys.abort());
  }

  private start(code: typeof import("./interaction.ts")): void {
    if (this.disposed) return;
    const interaction = new code.Interaction(this.deps);
    this.interaction = interaction;
    const works = this.waiting;
    this.waiting = [];
    for (const work of works) work(interaction);
  }
}

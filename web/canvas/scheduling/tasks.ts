/** A queue of tasks that are run one after another, in slices. */

import { createSlices } from "./slices.ts";

export class Tasks {
  private waiting: (() => Promise<void> | void)[] = [];
  private running: Promise<void> | undefined;

  /** True when no task waits or runs. */
  get idle(): boolean {
    return this.running === undefined;
  }

  /** Runs the task after those before it, and never before the caller has finished. A task must not throw or reject. */
  add(task: () => Promise<void> | void): void {
    this.waiting.push(task);
    this.running ??= this.run();
  }

  /** Resolves when all tasks are done, including those that are added meanwhile. */
  async done(): Promise<void> {
    while (this.running) await this.running;
  }

  private async run(): Promise<void> {
    await Promise.resolve();
    const slices = createSlices();
    while (this.waiting.length > 0) {
      const tasks = this.waiting;
      this.waiting = [];
      for (const task of tasks) {
        await task();
        await slices.next();
      }
    }
    this.running = undefined;
  }
}

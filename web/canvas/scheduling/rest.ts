/**
 * A rest: the time after the last of many calls. Its timer is set once and checks the time again, since setting one
 * for each move of a pointer costs as much as a small repaint.
 */

export class Rest {
  private readonly run: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private until = 0;

  /** Calls `run` once after each rest. */
  constructor(run: () => void) {
    this.run = run;
  }

  /** Begins a rest of `time` milliseconds, in place of one that began earlier. */
  begin(time: number): void {
    this.until = performance.now() + time;
    this.timer ??= setTimeout(this.look, time);
  }

  private readonly look = (): void => {
    const left = this.until - performance.now();
    this.timer = left > 0 ? setTimeout(this.look, left) : undefined;
    if (left <= 0) this.run();
  };
}

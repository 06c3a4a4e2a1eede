/** The loop of animation frames: one callback for each frame in which there is something to do, and none otherwise. */

/** Milliseconds of the timer that replaces animation frames while the page is hidden and gets none. */
const HIDDEN_INTERVAL = 30;

export class FrameLoop {
  private readonly work: () => void;
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting: (() => void)[] = [];
  private disposed = false;

  /** Runs `work` in each frame that is requested. */
  constructor(work: () => void) {
    this.work = work;
    document.addEventListener("visibilitychange", this.onVisibility);
  }

  /** Asks for a frame. Any number of requests before it make one. */
  readonly request = (): void => {
    if (this.disposed || this.isRequested) return;
    if (document.visibilityState === "hidden") this.timer = setTimeout(this.run, HIDDEN_INTERVAL);
    else this.frame = requestAnimationFrame(this.run);
  };

  /** Requests a frame and resolves after its work, or when the loop is disposed. */
  next(): Promise<void> {
    if (this.disposed) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.request();
    });
  }

  dispose(): void {
    this.disposed = true;
    this.cancel();
    this.resolveWaiting();
    document.removeEventListener("visibilitychange", this.onVisibility);
  }

  private get isRequested(): boolean {
    return this.frame !== 0 || this.timer !== undefined;
  }

  private readonly run = (): void => {
    this.cancel();
    this.work();
    this.resolveWaiting();
  };

  private readonly onVisibility = (): void => {
    if (!this.isRequested) return;
    this.cancel();
    this.request();
  };

  private cancel(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.frame = 0;
    this.timer = undefined;
  }

  private resolveWaiting(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Resolves in a later task of the event loop: the browser takes input and paints before. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

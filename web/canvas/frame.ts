/** One callback for each frame in which there is something to do; none otherwise. */

export interface FrameLoop {
  /** Asks for a frame. Any number of calls before it make one. */
  request(): void;
  dispose(): void;
}

/** A hidden page gets no animation frames; there the work is done by a timer of this many milliseconds. */
const HIDDEN_INTERVAL = 30;

export function createFrameLoop(work: () => void): FrameLoop {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let disposed = false;

  const cancel = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = 0;
    timer = undefined;
  };
  const run = (): void => {
    cancel();
    work();
  };
  const request = (): void => {
    if (disposed || frame !== 0 || timer !== undefined) return;
    if (document.visibilityState === "hidden") timer = setTimeout(run, HIDDEN_INTERVAL);
    else frame = requestAnimationFrame(run);
  };
  const onVisibility = (): void => {
    if (frame === 0 && timer === undefined) return;
    cancel();
    request();
  };
  document.addEventListener("visibilitychange", onVisibility);
  return {
    request,
    dispose(): void {
      disposed = true;
      cancel();
      document.removeEventListener("visibilitychange", onVisibility);
    },
  };
}

/** Lets the browser take input and paint before the caller goes on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

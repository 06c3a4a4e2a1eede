import { createSignal, type Signal } from "../../sync/environment/signal.ts";

/** Milliseconds without any sign of the visitor after which code is fetched ahead. */
const IDLE = 12_000;

const SIGNS = ["pointerdown", "keydown", "wheel", "dragenter"] as const;

/**
 * Watches whether code that nobody has needed yet may be fetched: from the visitor's first sign on, or when there was
 * none for a while. During the first seconds a phone's network and processor are reserved for what is visible.
 */
export function watchFetchAhead(): Signal<boolean> {
  const begun = createSignal(false);
  const listening = new AbortController();
  const begin = (): void => {
    listening.abort();
    clearTimeout(timer);
    begun.set(true);
  };
  const timer = setTimeout(begin, IDLE);
  const options = { capture: true, passive: true, signal: listening.signal };
  for (const sign of SIGNS) addEventListener(sign, begin, options);
  // After a layout a browser sends a move for a pointer that rests, so only a move to another position is a
  // visitor's.
  let first: string | undefined;
  const move = ({ clientX, clientY }: PointerEvent): void => {
    const at = `${clientX} ${clientY}`;
    first ??= at;
    if (at !== first) begin();
  };
  addEventListener("pointermove", move, options);
  return begun;
}

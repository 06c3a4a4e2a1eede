/** Values and events that can be watched. A listener that throws does not keep the next ones from being called. */

import type { Store } from "../port.ts";

export interface WritableStore<T> extends Store<T> {
  /** Notifies the listeners, unless `same` says that nothing changed. */
  set(value: T): void;
}

/** A store of `initial`. `same` compares two values. */
export function createStore<T>(
  initial: T,
  same: (a: T, b: T) => boolean = Object.is,
): WritableStore<T> {
  let value = initial;
  const changed = createEmitter<void>();
  return {
    get: () => value,
    set(next) {
      if (same(value, next)) return;
      value = next;
      changed.emit();
    },
    subscribe: (listener) => changed.listen(listener),
  };
}

export interface Emitter<A> {
  emit(argument: A): void;
  /** Returns the function that ends it. */
  listen(listener: (argument: A) => void): () => void;
  /** The number of listeners. */
  readonly size: number;
}

/** `onFault` gets what a listener throws. */
export function createEmitter<A>(
  onFault: (fault: unknown) => void = (fault) => console.error(fault),
): Emitter<A> {
  const listeners = new Set<{ readonly run: (argument: A) => void }>();
  return {
    emit(argument) {
      for (const listener of listeners) {
        try {
          listener.run(argument);
        } catch (error) {
          onFault(error);
        }
      }
    },
    listen(run) {
      const listener = { run };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get size() {
      return listeners.size;
    },
  };
}

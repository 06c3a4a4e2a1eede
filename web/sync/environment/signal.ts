/** Values and events that can be watched. A listener that throws does not keep the next ones from being called. */

/** A value that can be watched; fits React's useSyncExternalStore. */
export interface Signal<T> {
  readonly get: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface WritableSignal<T> extends Signal<T> {
  /** Notifies the listeners, unless `same` says that nothing changed. */
  readonly set: (value: T) => void;
}

/** A signal whose value is `initial`. `same` compares two values. */
export function createSignal<T>(
  initial: T,
  same: (a: T, b: T) => boolean = Object.is,
): WritableSignal<T> {
  let value = initial;
  const changed = createEmitter<void>();
  return {
    get: () => value,
    set(next) {
      if (same(value, next)) return;
      value = next;
      changed.emit();
    },
    subscribe: changed.listen,
  };
}

export interface Emitter<A> {
  readonly emit: (argument: A) => void;
  /** Returns the function that ends it. */
  readonly listen: (listener: (argument: A) => void) => () => void;
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

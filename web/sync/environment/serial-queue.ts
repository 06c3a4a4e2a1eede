/** Tasks one after the other. */

/** Returns a function that runs its tasks one after the other, in the order in which they were given. */
export function createSerialQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task, task);
    last = done.catch(() => undefined);
    return done;
  };
}

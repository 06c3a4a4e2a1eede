/** Numbers on their way from where they are to where they were last told to be. Times in milliseconds. */
export interface Glide {
  at(now: number): readonly number[];
  isMoving(now: number): boolean;
}

/** From where `before` is now to `target`, in the time `over`; at once when there is no before. */
export function glide(
  before: Glide | null,
  target: readonly number[],
  now: number,
  over: number,
): Glide {
  const from = before?.at(now) ?? target;
  const share = (time: number): number =>
    over <= 0 ? 1 : Math.min(1, Math.max(0, (time - now) / over));
  return {
    at: (time) =>
      target.map((value, index) => {
        const start = from[index] ?? value;
        return start + (value - start) * share(time);
      }),
    isMoving: (time) => share(time) < 1 && target.some((value, index) => value !== from[index]),
  };
}

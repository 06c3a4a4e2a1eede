/** A network that drops, doubles, delays, reorders and cuts, by the dice, on a hand-moved clock. */

import type { Clock } from "../web/sync/world.ts";
import type { Random } from "./random.ts";

/** Probabilities from 0 to 1; delays in milliseconds. Unequal delays reorder. */
export interface Weather {
  readonly drop: number;
  readonly double: number;
  readonly minDelay: number;
  readonly maxDelay: number;
}

export const FAIR: Weather = { drop: 0, double: 0, minDelay: 1, maxDelay: 1 };

export interface Network {
  weather: Weather;
  isCut(node: string): boolean;
  /** Nothing comes from or gets to this node until it is mended. */
  cut(node: string): void;
  mend(node: string): void;
  /** Calls when a node is cut or mended. */
  onCut(listener: (node: string, cut: boolean) => void): void;
  /** A message that may not arrive, or arrive twice. */
  post(node: string, deliver: () => void): void;
  /**
   * A request and its answer. Rejects when either is lost: the work may have been done all the same.
   */
  request<T>(node: string, work: () => T): Promise<T>;
}

/** How long a caller waits before it takes a lost request as failed. */
const REQUEST_LIMIT = 5_000;

export function createNetwork(clock: Clock, dice: Random): Network {
  const severed = new Set<string>();
  const listeners: ((node: string, cut: boolean) => void)[] = [];
  let weather = FAIR;

  const delay = (): number =>
    weather.minDelay + dice.next() * (weather.maxDelay - weather.minDelay);
  const change = (node: string, cut: boolean): void => {
    if (severed.has(node) === cut) return;
    if (cut) severed.add(node);
    else severed.delete(node);
    for (const listener of listeners) listener(node, cut);
  };

  return {
    get weather() {
      return weather;
    },
    set weather(next) {
      weather = next;
    },
    isCut: (node) => severed.has(node),
    cut: (node) => change(node, true),
    mend: (node) => change(node, false),
    onCut: (listener) => void listeners.push(listener),
    post(node, deliver) {
      const copies = dice.chance(weather.drop) ? 0 : dice.chance(weather.double) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        clock.setTimer(() => {
          if (!severed.has(node)) deliver();
        }, delay());
      }
    },
    request: (node, work) =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new Error("no answer"));
        const isLost = (): boolean => severed.has(node) || dice.chance(weather.drop);
        if (isLost()) {
          clock.setTimer(fail, severed.has(node) ? 1 : REQUEST_LIMIT);
          return;
        }
        clock.setTimer(() => {
          const result = work();
          if (isLost()) clock.setTimer(fail, REQUEST_LIMIT);
          else clock.setTimer(() => (severed.has(node) ? fail() : resolve(result)), delay());
        }, delay());
      }),
  };
}

/** A network that drops, doubles, delays, reorders and cuts at random, on a fake clock. */

import type { Clock } from "../../web/sync/environment/environment.ts";
import type { Random } from "../random/random.ts";

/** The conditions of a network: probabilities from 0 to 1, delays in milliseconds. Unequal delays reorder. */
export interface NetworkConditions {
  readonly drop: number;
  readonly double: number;
  readonly minDelay: number;
  readonly maxDelay: number;
}

/** Conditions under which nothing is lost. */
export const PERFECT: NetworkConditions = { drop: 0, double: 0, minDelay: 1, maxDelay: 1 };

export interface Network {
  conditions: NetworkConditions;
  isCut(node: string): boolean;
  /** Cuts a node: nothing is sent from it or reaches it until `restore`. */
  cut(node: string): void;
  restore(node: string): void;
  /** Calls the listener when a node is cut or restored. */
  onCut(listener: (node: string, cut: boolean) => void): void;
  /** Sends a message that may not arrive, or arrive twice. */
  post(node: string, deliver: () => void): void;
  /** Sends a request and returns its response. Rejects when either is lost: the work may have been done all the same. */
  request<T>(node: string, work: () => T): Promise<T>;
}

/** Milliseconds after which a lost request fails. */
const REQUEST_LIMIT = 5_000;

/** Makes a perfect network, until its conditions change. */
export function createNetwork(clock: Clock, random: Random): Network {
  const severed = new Set<string>();
  const listeners: ((node: string, cut: boolean) => void)[] = [];
  let conditions = PERFECT;

  const delay = (): number =>
    conditions.minDelay + random.next() * (conditions.maxDelay - conditions.minDelay);
  const change = (node: string, cut: boolean): void => {
    if (severed.has(node) === cut) return;
    if (cut) severed.add(node);
    else severed.delete(node);
    for (const listener of listeners) listener(node, cut);
  };

  return {
    get conditions() {
      return conditions;
    },
    set conditions(next) {
      conditions = next;
    },
    isCut: (node) => severed.has(node),
    cut: (node) => change(node, true),
    restore: (node) => change(node, false),
    onCut: (listener) => void listeners.push(listener),
    post(node, deliver) {
      const copies = random.boolean(conditions.drop)
        ? 0
        : random.boolean(conditions.double)
          ? 2
          : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        clock.setTimer(() => {
          if (!severed.has(node)) deliver();
        }, delay());
      }
    },
    request: (node, work) =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new Error("no answer"));
        const isLost = (): boolean => severed.has(node) || random.boolean(conditions.drop);
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

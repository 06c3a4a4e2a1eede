/** Rooms on a hand-moved clock: real room code, with a table, a channel and a device in memory. */

import * as adoption from "../board/adopt.ts";
import type { NewObject } from "../board/drawing.ts";
import * as history from "../board/history.ts";
import { createRoom } from "../web/sync/create.ts";
import * as dealings from "../web/sync/dealings.ts";
import type { Journal, JournalEntry } from "../web/sync/journal.ts";
import type { Notice, Room } from "../web/sync/port.ts";
import type { PageEvent, World } from "../web/sync/world.ts";
import { createMemoryBackend, type MemoryBackend } from "./backend.ts";
import { createHandClock, type HandClock } from "./clock.ts";
import { createNetwork, type Network } from "./network.ts";
import { createRandom, type Random } from "./random.ts";

/** A person's device: its journal outlives the page. */
export interface Device {
  readonly name: string;
  readonly entries: Map<string, JournalEntry>;
  working: boolean;
}

export interface Visit {
  readonly name: string;
  readonly room: Room;
  readonly device: Device;
  readonly notices: Notice[];
  readonly log: string[];
  /** What the browser tells the page. */
  page(event: PageEvent): void;
  /** How many listen to the page's events. */
  listening(): number;
  /** The page is gone without a word: no timer, no socket, nothing else. */
  kill(): void;
}

export interface Place {
  readonly clock: HandClock;
  readonly dice: Random;
  readonly network: Network;
  readonly backend: MemoryBackend;
  /** Opens the page; `start` is called. `given` takes the place of parts of its world. */
  visit(name: string, device?: Device, given?: Partial<World>): Visit;
}

export function createDevice(name: string): Device {
  return { name, entries: new Map(), working: true };
}

export function createPlace(seed = 1): Place {
  const dice = createRandom(seed);
  const clock = createHandClock();
  const network = createNetwork(clock, dice);
  const backend = createMemoryBackend(network, clock);
  return {
    clock,
    dice,
    network,
    backend,
    visit(name, device = createDevice(name), given = {}) {
      const page = createPage(clock);
      const log: string[] = [];
      const notices: Notice[] = [];
      const write = (...words: unknown[]): void => void log.push(words.map(String).join(" "));
      const world: World = {
        clock: page.clock,
        random: dice.next,
        randomId: () => `${hex(dice)}-${hex(dice)}`,
        page: page.events,
        log: { error: write, warn: write, info: write },
        pause: () => Promise.resolve(),
        openBackend: () => backend.open(name),
        openJournal: () => openMemoryJournal(device),
        loadHistory: () => history,
        loadAdoption: () => adoption,
        loadDealings: () => dealings,
        ...given,
      };
      const room = createRoom({ supabaseUrl: "http://memory", supabaseAnonKey: "none" }, world);
      room.onNotice((notice) => notices.push(notice));
      void room.start();
      return {
        name,
        room,
        device,
        notices,
        log,
        page: page.tell,
        listening: page.listening,
        kill() {
          page.kill();
          backend.forget(name);
        },
      };
    },
  };
}

/** A stroke as a tool makes it. */
export function stroke(left = 10, top = 10): NewObject {
  return {
    type: "Path",
    path: "M0 0q5 5 10 0",
    left,
    top,
    stroke: "#000000",
    strokeWidth: 3,
    fill: null,
  };
}

/** A clock and a page that can be stopped from outside. */
function createPage(clock: HandClock) {
  const listeners = new Set<(event: PageEvent) => void>();
  let dead = false;
  const alive = (run: () => void) => () => {
    if (!dead) run();
  };
  return {
    clock: {
      now: clock.now,
      setTimer: (run: () => void, delay: number) => clock.setTimer(alive(run), delay),
      clearTimer: clock.clearTimer,
      requestFrame: (run: () => void) => clock.requestFrame(alive(run)),
      cancelFrame: clock.cancelFrame,
    },
    events: {
      isOnline: () => true,
      isVisible: () => true,
      listen(listener: (event: PageEvent) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    tell(event: PageEvent) {
      for (const listener of listeners) listener(event);
    },
    listening: () => listeners.size,
    kill() {
      dead = true;
      listeners.clear();
    },
  };
}

function openMemoryJournal(device: Device): Journal {
  return {
    get working() {
      return device.working;
    },
    read: async () => [...device.entries.values()],
    write(entry) {
      if (device.working) device.entries.set(entry.key.join("/"), entry);
    },
    remove(keys) {
      for (const key of keys) device.entries.delete(key.join("/"));
    },
    close: async () => undefined,
  };
}

/** Eight hexadecimal digits. */
function hex(dice: Random): string {
  return Math.floor(dice.next() * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
}

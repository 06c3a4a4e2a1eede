/** A test bed of sync clients: the real client's code on a fake clock, with a table, a channel and devices in memory. */

import type { NewObject } from "../../board/drawing.ts";
import type { BackendConfig } from "../../web/sync/environment/backend.ts";
import type { Environment, PageEvent } from "../../web/sync/environment/environment.ts";
import type {
  DeviceCopyStore,
  JournalEntry,
  JournalStore,
} from "../../web/sync/environment/device-stores.ts";
import type { Notice, SyncClient } from "../../web/sync/port.ts";
import { createSyncClient } from "../../web/sync/sync-client.ts";
import { createMemoryBackend, type MemoryBackend } from "../network/backend.ts";
import { createFakeClock, type FakeClock } from "./clock.ts";
import { createNetwork, type Network } from "../network/network.ts";
import { createRandom, type Random } from "../random/random.ts";

/** This code arrives with a panel, and reading it from the disk takes longer than a step of the fake clock. */
await import("../../web/sync/history.ts");

/** A visitor's device: its journal outlives the page. */
export interface Device {
  readonly name: string;
  readonly entries: Map<string, JournalEntry>;
  /** The copy of the drawing. */
  copy: string | null;
  working: boolean;
}

/** One page load. */
export interface Visit {
  readonly name: string;
  readonly client: SyncClient;
  readonly device: Device;
  readonly notices: Notice[];
  readonly log: string[];
  /** Emits an event of the page; from "offline" to "online" the page has no network, and knows it. */
  page(event: PageEvent): void;
  /** Returns the number of listeners of the page's events. */
  listeners(): number;
  /** Kills the page without notice: no timer, no socket and nothing else remains. */
  kill(): void;
}

export interface TestBed {
  readonly clock: FakeClock;
  readonly random: Random;
  readonly network: Network;
  readonly backend: MemoryBackend;
  /** Opens the page and starts its client. `given` replaces parts of its environment, `config` its configuration. */
  visit(
    name: string,
    device?: Device,
    given?: Partial<Environment>,
    config?: Partial<BackendConfig>,
  ): Visit;
}

/** Makes a device that stores nothing yet. */
export function createDevice(name: string): Device {
  return { name, entries: new Map(), copy: null, working: true };
}

/** Makes a test bed without visitors, whose row does not exist. */
export function createTestBed(seed = 1): TestBed {
  const random = createRandom(seed);
  const clock = createFakeClock();
  const network = createNetwork(clock, random);
  const backend = createMemoryBackend(network, clock);
  return {
    clock,
    random,
    network,
    backend,
    visit(name, device = createDevice(name), given = {}, config = {}) {
      const page = createPage(clock);
      const log: string[] = [];
      const notices: Notice[] = [];
      const write = (...words: unknown[]): void => void log.push(words.map(String).join(" "));
      const env: Environment = {
        clock: page.clock,
        random: random.next,
        randomId: () => `${hex(random)}${hex(random)}`.slice(0, 12),
        page: page.events,
        log: { error: write, warn: write, info: write },
        pause: () => Promise.resolve(),
        sendDelay: 0,
        openBackend: () => backend.open(name),
        openJournalStore: () => openMemoryStore(device),
        openDeviceCopyStore: () => openMemoryCopy(device),
        ...given,
      };
      const client = createSyncClient(
        { supabaseUrl: "http://memory", supabaseAnonKey: "none", ...config },
        env,
      );
      client.onNotice((notice) => notices.push(notice));
      void client.start();
      return {
        name,
        client,
        device,
        notices,
        log,
        page: page.emit,
        listeners: page.listeners,
        kill() {
          page.kill();
          backend.forget(name);
        },
      };
    },
  };
}

/** Visits whose clients have read the row and found each other. */
export async function meet(bed: TestBed, ...names: string[]): Promise<Visit[]> {
  const visits = names.map((name) => bed.visit(name));
  await bed.clock.advance(1000);
  return visits;
}

/** Returns the objects in the row; none where nothing was saved. */
export function savedObjects(bed: TestBed): { id: string }[] {
  const saved: { objects: { id: string }[] } = JSON.parse(
    bed.backend.row?.text ?? '{"objects":[]}',
  );
  return saved.objects;
}

/** Returns a stroke as a tool makes it. */
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

/** Makes a clock and a page that can be stopped from outside. */
function createPage(clock: FakeClock) {
  const listeners = new Set<(event: PageEvent) => void>();
  let dead = false;
  let offline = false;
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
      listen(listener: (event: PageEvent) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      isOffline: () => offline,
    },
    emit: (event: PageEvent) => {
      if (event === "offline" || event === "online") offline = event === "offline";
      for (const listener of listeners) listener(event);
    },
    listeners: () => listeners.size,
    kill() {
      dead = true;
      listeners.clear();
    },
  };
}

function openMemoryStore(device: Device): JournalStore {
  return {
    get working() {
      return device.working;
    },
    read: async () => [...device.entries.values()],
    async write(entry) {
      if (device.working) device.entries.set(entry.key.join("/"), entry);
    },
    remove(keys) {
      for (const key of keys) device.entries.delete(key.join("/"));
    },
    close: async () => undefined,
  };
}

function openMemoryCopy(device: Device): DeviceCopyStore {
  return {
    read: async () => device.copy,
    async write(text) {
      device.copy = device.working ? text : null;
      return device.working;
    },
    clear: async () => void (device.copy = null),
    close: () => undefined,
  };
}

/** Returns eight hexadecimal digits. */
function hex(random: Random): string {
  return Math.floor(random.next() * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
}

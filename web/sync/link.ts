/** Keeps one channel open: a new one, with back-off, whenever the old one is closed for good. */

import { ownMeta } from "./presence.ts";
import type { Backend, Channel, Presences } from "./backend.ts";
import type { TimerId, World } from "./world.ts";

export interface LinkEvents {
  /** Joined, for the first time or again: whatever was said meanwhile was missed. */
  joined(): void;
  lost(): void;
  presences(present: Presences): void;
  broadcast(event: string, payload: unknown): void;
}

export interface Link {
  readonly joined: boolean;
  open(): void;
  /** False, and nothing sent, while the channel is not joined. */
  send(event: string, payload: object): boolean;
  close(): void;
}

const FIRST_DELAY = 1_000;
const LAST_DELAY = 8_000;
/** A channel that lasted this long was a good one: the next trouble starts with a short delay again. */
const GOOD_AFTER = 30_000;
/** The backend's own attempts to join again get this long. */
const LOST_PATIENCE = 30_000;

export function createLink(backend: Backend, world: World, key: string, events: LinkEvents): Link {
  const { clock } = world;
  let channel: Channel | null = null;
  let joinedAt: number | null = null;
  let closures = 0;
  let timer: TimerId | null = null;
  let ended = false;
  let generation = 0;

  const arm = (delay: number, run: () => void): void => {
    if (timer !== null) clock.clearTimer(timer);
    timer = clock.setTimer(() => {
      timer = null;
      run();
    }, delay);
  };
  const disarm = (): void => {
    if (timer !== null) clock.clearTimer(timer);
    timer = null;
  };
  const leave = (): void => {
    if (joinedAt === null) return;
    if (clock.now() - joinedAt >= GOOD_AFTER) closures = 0;
    joinedAt = null;
    events.lost();
  };
  const reopen = (): void => {
    channel?.close();
    channel = null;
    open();
  };
  const open = (): void => {
    if (ended) return;
    generation += 1;
    const mine = generation;
    channel = backend.openChannel(key, {
      status(status) {
        if (mine !== generation || ended) return;
        if (status === "joined") {
          disarm();
          joinedAt = clock.now();
          // The library joins again after a reconnect, but does not track again.
          channel?.track(ownMeta(clock.now()));
          events.joined();
        } else {
          leave();
          if (status === "closed") {
            const delay =
              Math.min(LAST_DELAY, FIRST_DELAY * 2 ** closures) * (0.75 + world.random() / 4);
            closures += 1;
            arm(delay, reopen);
          } else if (timer === null) arm(LOST_PATIENCE, reopen);
        }
      },
      presences: (present) => events.presences(present),
      broadcast: (event, payload) => events.broadcast(event, payload),
    });
  };

  return {
    get joined() {
      return joinedAt !== null;
    },
    open,
    send: (event, payload) => joinedAt !== null && channel !== null && channel.send(event, payload),
    close() {
      ended = true;
      disarm();
      channel?.close();
      channel = null;
    },
  };
}

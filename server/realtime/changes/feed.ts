/** Sends the changes of the row to the channels that subscribed to them. */

import type { Role } from "../../keys/port.ts";
import type { Logger } from "../../process/log.ts";
import type { Database, RowChange } from "../../storage/port.ts";
import type { PostgresBinding } from "../payloads/join.ts";
import type { Topic } from "../topic/topic.ts";
import type { Member } from "../wire/member.ts";
import { TextOut } from "../wire/outgoing.ts";
import { changePayload, settingsPayload } from "./message.ts";
import { Pace, type PaceClock } from "./pace.ts";
import {
  matching,
  matchingSettings,
  parseSubscription,
  unableToSubscribe,
  type Binding,
} from "./subscription.ts";

/** A channel that subscribes. */
export interface Subscriber {
  readonly topic: Topic;
  readonly member: Member;
  readonly role: Role;
}

export type SubscribeResult =
  | { readonly ok: true; readonly stop: () => void }
  | { readonly ok: false; readonly message: string };

/** Channels of one topic and role with the same bindings, which get the same bytes. */
interface Group {
  readonly topic: Topic;
  readonly role: Role;
  readonly bindings: readonly Binding[];
  readonly members: Set<Member>;
  readonly pace: Pace<readonly string[]>;
  /** The pace of the lock's changes, which those of the drawing do not replace. */
  readonly settingsPace: Pace<readonly string[]>;
}

/**
 * Greatest number of changes that wait until their readers' rights are known; the oldest are left out, since the
 * newest contains the present row.
 */
const WAITING = 32;

export interface FeedOptions {
  readonly database: Pick<Database, "rowChanges">;
  readonly log: Logger;
  readonly clock: PaceClock;
}

export class ChangeFeed {
  readonly #options: FeedOptions;
  readonly #groups = new Map<string, Group>();
  /** The number of each topic: one that all have left and somebody has joined again is another one. */
  readonly #numbers = new WeakMap<Topic, number>();
  #topics = 0;
  #watching: Promise<{ readonly stop: () => void }> | null = null;
  #waiting: RowChange[] = [];
  #isDelivering = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Resolves when every later change will be delivered, or to the message that says why none will. */
  async subscribe(
    subscriber: Subscriber,
    requested: readonly PostgresBinding[],
  ): Promise<SubscribeResult> {
    const parsed = parseSubscription(requested);
    if (!parsed.ok) return parsed;
    const { rowChanges } = this.#options.database;
    const unable = { ok: false, message: unableToSubscribe(requested[0]!) } as const;
    try {
      const columns = await rowChanges.readable(subscriber.role, null);
      if (columns.length === 0) return unable;
    } catch {
      return unable;
    }
    if (!(await this.ready())) return unable;
    return { ok: true, stop: this.#add(subscriber, parsed.bindings) };
  }

  /** Whether the database reports its changes from now on. */
  async ready(): Promise<boolean> {
    const { rowChanges } = this.#options.database;
    try {
      await (this.#watching ??= rowChanges.watch((change) => this.#receive(change)));
      return true;
    } catch {
      this.#watching = null;
      return false;
    }
  }

  #add({ topic, member, role }: Subscriber, bindings: readonly Binding[]): () => void {
    const number = this.#numbers.get(topic) ?? this.#topics++;
    this.#numbers.set(topic, number);
    const key = JSON.stringify([number, role, bindings], (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    const group = this.#groups.get(key) ?? this.#open(key, { topic, role, bindings });
    group.members.add(member);
    return () => {
      group.members.delete(member);
      if (group.members.size > 0) return;
      group.pace.dispose();
      group.settingsPace.dispose();
      if (this.#groups.get(key) === group) this.#groups.delete(key);
    };
  }

  #open(key: string, what: Pick<Group, "topic" | "role" | "bindings">): Group {
    const members = new Set<Member>();
    const send = (payloads: readonly string[]): void => {
      for (const payload of payloads) {
        const message = new TextOut(what.topic.name, "postgres_changes", payload);
        what.topic.fanout.sendTo(message, members);
      }
    };
    const pace = new Pace(this.#options.clock, send);
    const settingsPace = new Pace(this.#options.clock, send);
    const group = { ...what, members, pace, settingsPace };
    this.#groups.set(key, group);
    return group;
  }

  /** Reports that a host has changed the lock, which every role may read. */
  lockChanged(locked: boolean): void {
    for (const group of this.#groups.values()) {
      const bindings = matchingSettings(group.bindings, locked);
      if (bindings.length === 0) continue;
      group.settingsPace.offer(
        bySelection(bindings).map(([selected, ids]) => settingsPayload(locked, ids, selected)),
      );
    }
  }

  #receive(change: RowChange): void {
    if (this.#groups.size === 0) return;
    this.#waiting.push(change);
    if (this.#waiting.length > WAITING) this.#waiting.shift();
    if (!this.#isDelivering) void this.#deliver();
  }

  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    for (let change = this.#waiting.shift(); change !== undefined; change = this.#waiting.shift()) {
      const rights = new Map<Role, readonly string[]>();
      for (const group of this.#groups.values()) {
        const bindings = matching(group.bindings, change);
        if (bindings.length === 0) continue;
        const columns = rights.get(group.role) ?? (await this.#readable(group.role, change));
        rights.set(group.role, columns);
        if (columns.length === 0) continue;
        const payloads = bySelection(bindings).map(([selected, ids]) => {
          const shown = columns.filter((name) => selected === null || selected.includes(name));
          return changePayload(change, ids, shown);
        });
        group.pace.offer(payloads);
      }
    }
    this.#isDelivering = false;
  }

  /** Returns the columns that a role may read; none for a row that the role's policies hide. */
  async #readable(role: Role, change: RowChange): Promise<readonly string[]> {
    try {
      return await this.#options.database.rowChanges.readable(role, change.row?.id ?? null);
    } catch {
      this.#options.log.warn("realtime: a change of the row reached nobody of a role", { role });
      return [];
    }
  }
}

/** Groups bindings with the same columns, which share a message. */
function bySelection(
  bindings: readonly Binding[],
): readonly (readonly [readonly string[] | null, readonly number[]])[] {
  const found = new Map<string, [readonly string[] | null, number[]]>();
  for (const { columns, id } of bindings) {
    const key = JSON.stringify(columns);
    const entry = found.get(key) ?? [columns, []];
    entry[1].push(id);
    found.set(key, entry);
  }
  return [...found.values()];
}

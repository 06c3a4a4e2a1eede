/** The peers whose pointer the view does not show, and the one that the view follows. */

import { type Box, containsPoint } from "../geometry/box.ts";
import type { Point } from "../geometry/matrix.ts";
import type { NamedPeer } from "./named-peer.ts";

/** Milliseconds without an action after which a peer is no longer shown as away. */
const ACTIVE_TIME = 10_000;
/** The greatest number of peers whose last position is remembered. */
const MAX_KNOWN = 200;

/** A peer outside of the view, or one that the visitor went to. */
export interface AwayPeer {
  readonly clientId: string;
  readonly label: string;
  /** The colour (CSS). */
  readonly color: string;
  /** The position, in CSS pixels of the canvas. */
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
  readonly following: boolean;
}

interface KnownPeer {
  readonly peer: NamedPeer;
  readonly at: Point;
  readonly time: number;
}

export class AwayPeers {
  private readonly known = new Map<string, KnownPeer>();
  /** The peer that the visitor went to, until the visitor moves the view. */
  private chosen: { readonly clientId: string; readonly following: boolean } | undefined;

  /** The peer that is followed; null for none. */
  get following(): string | null {
    return this.chosen?.following ? this.chosen.clientId : null;
  }

  /** The peers whose last position is known. */
  get located(): readonly string[] {
    return [...this.known.keys()];
  }

  /** The position of the followed peer; undefined when none is followed. */
  get followed(): Point | undefined {
    return this.chosen?.following ? this.known.get(this.chosen.clientId)?.at : undefined;
  }

  /** Takes over the positions of the peers. */
  show(peers: readonly NamedPeer[], now: number): void {
    for (const peer of peers) if (peer.pointer) this.note(peer, peer.pointer, now);
  }

  /**
   * Chooses a peer: the first time to go there, the second to follow, the third to stay; `follow` selects one of the
   * first two. Returns the peer's last position, if it is known.
   */
  choose(clientId: string, follow?: boolean): Point | undefined {
    const again = this.chosen?.clientId === clientId;
    const stays = follow === undefined && again && this.chosen?.following;
    this.chosen = stays ? undefined : { clientId, following: follow ?? again };
    return this.known.get(clientId)?.at;
  }

  /** Chooses no peer and follows none, since the visitor moved the view. */
  release(): void {
    this.chosen = undefined;
  }

  /** Returns the peers away from `frame` (CSS pixels), and the chosen one. `toCss` maps the board to CSS pixels. */
  list(frame: Box, toCss: (at: Point) => Point, now: number): AwayPeer[] {
    const away: AwayPeer[] = [];
    for (const [clientId, { peer, at, time }] of this.known) {
      const chosen = this.chosen?.clientId === clientId;
      const following = chosen && this.chosen?.following === true;
      if (now - time > ACTIVE_TIME && !following) {
        if (chosen) this.release();
        continue;
      }
      const { x, y } = toCss(at);
      const visible = containsPoint(frame, x, y);
      if (visible && !chosen) continue;
      const { label, color } = peer;
      const round = (value: number): number => Math.round(value);
      away.push({ clientId, label, color, x: round(x), y: round(y), visible, following });
    }
    return away;
  }

  private note(peer: NamedPeer, at: Point, time: number): void {
    const before = this.known.get(peer.clientId);
    const moved = before?.at.x !== at.x || before.at.y !== at.y;
    this.known.set(peer.clientId, { peer, at, time: moved ? time : before.time });
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }
}

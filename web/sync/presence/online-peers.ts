/** The peers who are online, as the canvas shows them: their names, what they have selected, and their previews. */

import type { ObjectId } from "../../../board/drawing.ts";
import type { PeerView } from "../../../board/live.ts";
import { viewOf, type PeerPreview } from "./peer-preview.ts";
import { ALONE, isComplete, type Presence } from "./peers.ts";

export interface OnlinePeers {
  /**
   * Whether there is a place for the preview of a client. Where it is known who is online, nobody else has one: of a
   * message that overtook its author's presence nothing is shown, and of a stroke the rest, from the next message that
   * states its look. In a crowd a listed peer takes the place of one that is not listed.
   */
  readonly admit: (clientId: string) => boolean;
  /** A peer selected these objects, and no others. A client that is not online, or in a crowd not listed, selects nothing. */
  readonly select: (clientId: string, ids: readonly ObjectId[]) => void;
  /** Only these clients are online now, under these names, or in a crowd others too. Returns whether what is shown changed. */
  readonly keep: (now: Presence) => boolean;
  /** The views to show at `now` (milliseconds); none for a peer of which there is nothing to show. */
  readonly views: (now: number) => readonly PeerView[];
  readonly clear: () => void;
}

/** The view of a peer of which nothing but its selection is shown. */
const REST = { pointer: null, ink: [], drags: [] } as const;
/** Hostile or broken peers must not fill the memory. */
const MAX_PEERS = 100;

/** `previews`: by clientId; those of clients that left are removed from it. */
export function createOnlinePeers(previews: Map<string, PeerPreview>): OnlinePeers {
  /** Kept until the peer says otherwise or leaves: one that rests says nothing. */
  const selections = new Map<string, readonly ObjectId[]>();
  /** Until the first presence anybody may be online. */
  let presence: Presence = { ...ALONE, online: Infinity };
  const isListed = (clientId: string): boolean => presence.peers.has(clientId);
  return {
    admit(clientId) {
      if (previews.has(clientId)) return true;
      if (!isListed(clientId)) return !isComplete(presence) && previews.size < MAX_PEERS;
      const other = [...previews.keys()].find((id) => !isListed(id)) ?? "";
      return previews.size < MAX_PEERS || previews.delete(other);
    },
    select(clientId, ids) {
      selections.delete(clientId);
      if (ids.length > 0 && isListed(clientId) && selections.size < MAX_PEERS)
        selections.set(clientId, ids);
    },
    keep(now) {
      const before = presence.peers;
      presence = now;
      let changed = false;
      for (const shown of [previews, selections])
        for (const clientId of shown.keys()) {
          const stays = isListed(clientId) || (shown === previews && !isComplete(now));
          if (!stays) changed = shown.delete(clientId);
          else if (now.peers.get(clientId) !== before.get(clientId)) changed = true;
        }
      return changed;
    },
    views(now) {
      const ids = new Set([...previews.keys(), ...selections.keys()]);
      return [...ids].flatMap((clientId) => {
        const preview = previews.get(clientId);
        const view = preview && viewOf(preview, now);
        const selected = selections.get(clientId);
        if (!view && !selected) return [];
        return { ...REST, ...view, clientId, name: presence.peers.get(clientId), selected };
      });
    },
    clear: () => selections.clear(),
  };
}

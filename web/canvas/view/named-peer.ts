/** Peers under the name and the colour in which the canvas shows them. */

import type { PeerView } from "../../../board/live.ts";
import { colorOf, nameOf } from "../../../board/peer-label.ts";

export interface NamedPeer extends PeerView {
  readonly label: string;
  /** The colour of the peer (CSS). */
  readonly color: string;
}

/** Names a peer as it named itself, or else by its label. */
export function namePeer(peer: PeerView): NamedPeer {
  const { clientId, name } = peer;
  return { ...peer, label: nameOf({ clientId, name }), color: colorOf(clientId) };
}

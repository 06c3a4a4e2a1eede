import { ArrowRight, LocateFixed } from "lucide-react";
import type { AwayPeer } from "../../canvas/view/away-peers.ts";
import { positionChips } from "./chips.ts";
import type { Controller } from "../controller/controller.ts";
import { dockCover } from "../kit/dock-cover.ts";
import { canvasSize } from "../kit/useCanvasSize.ts";

/** As in view.css. */
const SMALL_WINDOW = "(width < 700px), (height < 520px)";

interface Props {
  readonly controller: Controller;
  readonly peers: readonly AwayPeer[];
}

/** Peers who are active outside of the view, at the edge where they are. */
export function AwayChips({ controller, peers }: Props) {
  const { width, height } = canvasSize();
  const small = matchMedia(SMALL_WINDOW).matches;
  const area = { width, height: height - dockCover(), small };
  const { chips, more } = positionChips(peers, area);
  return (
    <div role="group" aria-label="Elsewhere on the board">
      {chips.map(({ peer, x, y, angle }) => (
        <button
          key={peer.clientId}
          type="button"
          className="chip"
          style={{ translate: `calc(${x}px - 50%) calc(${y}px - 50%)`, borderColor: peer.color }}
          aria-label={`${peer.visible ? "Follow" : "Go to"} ${peer.label}`}
          aria-pressed={peer.following}
          onClick={() => controller.moveView({ kind: "peer", clientId: peer.clientId })}
        >
          {peer.visible ? (
            <LocateFixed size={14} color={peer.color} />
          ) : (
            <ArrowRight size={14} color={peer.color} style={{ rotate: `${angle}rad` }} />
          )}
          <span className="chip-name">
            <bdi>{peer.label}</bdi>
          </span>
        </button>
      ))}
      {more > 0 && <span className="chip chip-more">+{more}</span>}
    </div>
  );
}

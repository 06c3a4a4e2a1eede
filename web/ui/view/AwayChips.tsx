import { ArrowRight, LocateFixed } from "lucide-react";
import type { AwayPeer } from "../../canvas/view/away-peers.ts";
import type { OutsideState } from "../../canvas/view/state.ts";
import { isSmallWindow, positionChips, positionDrawingChip } from "./chips.ts";
import { DrawingChip } from "./DrawingChip.tsx";
import type { Controller } from "../controller/controller.ts";
import { dockCover } from "../kit/dock-cover.ts";
import { canvasSize } from "../controller/useCanvasSize.ts";
import { isRightToLeft } from "../page/reading.ts";
import { formatNumber, t } from "../language/text.ts";

interface Props {
  readonly controller: Controller;
  readonly peers: readonly AwayPeer[];
  readonly outside: OutsideState | null;
}

/** The chips for what is outside the view, at the edge in its direction: the drawing, and active peers. */
export function AwayChips({ controller, peers, outside }: Props) {
  const { width, height } = canvasSize();
  const toolbar = document.querySelector("main > .more-tools")?.getBoundingClientRect();
  const isMirrored = isRightToLeft();
  const area = {
    ...{ width, height: height - dockCover(), small: isSmallWindow() },
    isMirrored,
    beside: toolbar ? (isMirrored ? width - toolbar.left : toolbar.right) : 0,
  };
  const drawing = outside && positionDrawingChip(outside, area);
  const { chips, more } = positionChips(peers, area, drawing);
  return (
    <div role="group" aria-label={t("Elsewhere on the board")}>
      {outside && drawing && <DrawingChip controller={controller} outside={outside} at={drawing} />}
      {chips.map(({ peer, x, y, angle }) => (
        <button
          key={peer.clientId}
          type="button"
          className="chip"
          style={{ translate: `calc(${x}px - 50%) calc(${y}px - 50%)`, borderColor: peer.color }}
          aria-label={
            peer.visible
              ? t("Follow {name}", { name: peer.label })
              : t("Go to {name}", { name: peer.label })
          }
          aria-pressed={peer.following}
          onClick={() => controller.moveView({ kind: "peer", clientId: peer.clientId })}
        >
          {peer.visible ? (
            <LocateFixed size={14} />
          ) : (
            <ArrowRight size={14} style={{ rotate: `${angle}rad` }} />
          )}
          <span className="chip-name">
            <bdi>{peer.label}</bdi>
          </span>
        </button>
      ))}
      {more > 0 && <span className="chip chip-more">+{formatNumber(more)}</span>}
    </div>
  );
}

import { ArrowRight } from "lucide-react";
import type { OutsideState } from "../../canvas/view/view-state.ts";
import type { Controller } from "../controller/controller.ts";
import { focusCanvas } from "../controller/useCanvasFocus.ts";
import type { ChipPosition } from "./chips.ts";
import { outsideLabel } from "./outside-label.ts";

interface Props {
  readonly controller: Controller;
  readonly outside: OutsideState;
  readonly at: ChipPosition;
}

/** Where the nearest object outside of the view lies; one press goes there. In a small window it says the distance alone. */
export function DrawingChip({ controller, outside, at }: Props) {
  const { distance, place } = outsideLabel(outside);
  return (
    <button
      type="button"
      className="chip chip-drawing"
      style={{ translate: `calc(${at.x}px - 50%) calc(${at.y}px - 50%)` }}
      aria-label={`Drawing: ${distance} ${place}`}
      onClick={() => {
        controller.moveView({ kind: "drawing" });
        focusCanvas();
      }}
    >
      <ArrowRight size={14} style={{ rotate: `${at.angle}rad` }} />
      <span>
        <span className="chip-wide">Drawing: </span>
        {distance}
        <span className="chip-wide"> {place}</span>
      </span>
    </button>
  );
}

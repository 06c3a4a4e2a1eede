import { ArrowRight } from "lucide-react";
import type { OutsideState } from "../../canvas/view/state.ts";
import type { Controller } from "../controller/controller.ts";
import { focusCanvas } from "../controller/useCanvasFocus.ts";
import { isSmallWindow, type ChipPosition } from "./chips.ts";
import { outsideLabel } from "./outside-label.ts";

interface Props {
  readonly controller: Controller;
  readonly outside: OutsideState;
  readonly at: ChipPosition;
}

/**
 * The chip that points to the nearest object outside the view; one press goes there. In a small window it shows the
 * distance alone.
 */
export function DrawingChip({ controller, outside, at }: Props) {
  const { whole, short } = outsideLabel(outside);
  return (
    <button
      type="button"
      className="chip chip-drawing"
      style={{ translate: `calc(${at.x}px - 50%) calc(${at.y}px - 50%)` }}
      aria-label={whole}
      onClick={() => {
        controller.moveView({ kind: "drawing" });
        focusCanvas();
      }}
    >
      <ArrowRight size={14} style={{ rotate: `${at.angle}rad` }} />
      <span>{isSmallWindow() ? short : whole}</span>
    </button>
  );
}

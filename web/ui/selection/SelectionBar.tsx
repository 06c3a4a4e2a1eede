import { BringToFront, Copy, SendToBack, Trash2 } from "lucide-react";
import { Toolbar } from "radix-ui";
import type { ReactNode } from "react";
import type { Controller } from "../controller/controller.ts";
import { dockBox } from "../kit/dock-cover.ts";
import { Hint } from "../kit/Hint.tsx";
import { barSize, positionBar } from "./selection-bar.ts";
import { canvasSize } from "../kit/useCanvasSize.ts";
import { useSignal } from "../kit/useSignal.ts";
import "./selection-bar.css";

/** What can be done to the selection, beside it. The focus stays where it is when a pointer presses a button. */
export function SelectionBar({ controller }: { readonly controller: Controller }) {
  const frame = useSignal(controller.selectionFrame);
  const color = useSignal(controller.color);
  if (!frame) return null;
  const size = barSize(matchMedia("(pointer: coarse)").matches);
  const { width, height } = canvasSize();
  const at = positionBar(frame, size, { width, height, dock: dockBox() });
  if (!at) return null;
  const button = (name: string, icon: ReactNode, work: () => void, keys?: readonly string[]) => (
    <Hint key={name} name={name} side="top" {...(keys && { keys })}>
      <Toolbar.Button
        className="bar-button"
        style={{ width: size.button, height: size.button }}
        aria-label={name}
        onClick={work}
      >
        {icon}
      </Toolbar.Button>
    </Hint>
  );
  return (
    <Toolbar.Root
      className="selection-bar"
      aria-label="Selection"
      style={{ translate: `${at.x}px ${at.y}px` }}
      onMouseDown={(event) => event.preventDefault()}
    >
      {button("Colour", <span className="bar-dot" style={{ background: color }} />, () =>
        controller.editSelection("color"),
      )}
      {button("Duplicate", <Copy size={18} />, () => controller.editSelection("duplicate"), [
        "Mod",
        "d",
      ])}
      {button("To front", <BringToFront size={18} />, () => controller.editSelection("front"))}
      {button("To back", <SendToBack size={18} />, () => controller.editSelection("back"))}
      {button("Delete", <Trash2 size={18} />, () => controller.canvas?.selection?.remove(), [
        "Delete",
      ])}
    </Toolbar.Root>
  );
}

import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Tool } from "../../../board/tools.ts";
import type { Controller } from "../controller/controller.ts";
import { focusCanvas } from "../controller/useCanvasFocus.ts";
import { isPreviewing } from "../controller/versions.ts";
import { prefer, preference } from "../kit/preferences.ts";
import { useSignal } from "../kit/useSignal.ts";
import { t, translate, type Text } from "../language/text.ts";
import "../kit/first-hint.css";
import "./tool-hint.css";

/** What each tool does, in one line on the narrowest phone. */
const HINTS: Readonly<Record<Tool, Text>> = {
  select: "Press an object to move or resize it",
  draw: "Press and move to draw",
  rectangle: "Drag a corner to resize it",
  circle: "Drag a corner to resize it",
  eraser: "Paint over what is there, in white",
  stickers: "Double-click a sticker to write on it",
  text: "Press where the text begins",
  line: "Press, move and release; Shift for steps of 15°",
  arrow: "Press, move and release; Shift for steps of 15°",
  highlighter: "Draw over what everybody should see",
  fading: "Draw to point: it disappears by itself",
};

/** On a touch screen a new object is first taken away from where the next one lands. */
const TOUCH_HINTS: Readonly<Partial<Record<Tool, Text>>> = {
  rectangle: "Drag it away; a corner resizes it",
  circle: "Drag it away; a corner resizes it",
  stickers: "Drag it away; double tap to write on it",
};

/**
 * On the first visit, what the chosen tool does: once for each tool, until it is used or another one is chosen. One
 * press switches all of them off.
 */
export function ToolHint({ controller }: { readonly controller: Controller }) {
  const tool = useSignal(controller.tool);
  const hidden = isPreviewing(useSignal(controller.versions.preview));
  const [isFirst, setFirst] = useState(() => preference("hints") === "");
  const shown = useRef(new Set<Tool>());
  const [hinted, setHinted] = useState<Tool | null>(null);

  useEffect(() => {
    if (!isFirst) return;
    prefer("hints", "shown");
    const isNew = !shown.current.has(tool);
    shown.current.add(tool);
    setHinted((before) => (isNew || before === tool ? tool : null));
    const used = (): void => setHinted(null);
    const host = document.querySelector(".canvas");
    host?.addEventListener("pointerdown", used);
    return () => host?.removeEventListener("pointerdown", used);
  }, [isFirst, tool]);

  const isTouch = matchMedia("(pointer: coarse)").matches;
  if (!isFirst || hidden || hinted !== tool) return null;
  return (
    <div className="first-hint tool-hint" role="note">
      <p>{translate((isTouch && TOUCH_HINTS[tool]) || HINTS[tool])}</p>
      <button
        type="button"
        aria-label={t("No more hints")}
        onClick={() => {
          setFirst(false);
          focusCanvas();
        }}
      >
        <X size={16} />
      </button>
    </div>
  );
}

import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Tool } from "../../../board/tools.ts";
import type { Controller } from "../controller/controller.ts";
import { isPreviewing } from "../controller/versions.ts";
import { prefer, preference } from "../kit/preferences.ts";
import { useSignal } from "../kit/useSignal.ts";
import "./tool-hint.css";

/** What each tool does, in one line on the narrowest phone. */
const HINTS: Readonly<Record<Tool, string>> = {
  select: "Press an object to move or resize it",
  draw: "Press and move to draw",
  rectangle: "Drag a corner to resize it",
  circle: "Drag a corner to resize it",
  eraser: "Paint over what is there, in white",
  stickers: "Double-click a sticker to write on it",
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

  if (!isFirst || hidden || hinted !== tool) return null;
  return (
    <div className="tool-hint" role="note">
      <p>{HINTS[tool]}</p>
      <button
        type="button"
        className="tool-hint-close"
        aria-label="No more hints"
        onClick={() => setFirst(false)}
      >
        <X size={16} />
      </button>
    </div>
  );
}

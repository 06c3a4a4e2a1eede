import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { DEFAULT_TOOL, type Tool } from "../../../board/tools.ts";
import type { Controller } from "../controller/controller.ts";
import { useFetchAhead } from "../controller/useFetchAhead.ts";
import { focusCanvas } from "../controller/useCanvasFocus.ts";
import { isPreviewing } from "../controller/board-access.ts";
import { prefer, preference } from "../kit/preferences.ts";
import { useLazy } from "../kit/useLazy.ts";
import { useSignal } from "../kit/useSignal.ts";
import { t } from "../language/text.ts";
import "../kit/first-hint.css";
import "./tool-hint.css";

const loadHints = () => import("./tool-hints.ts");

/**
 * The hint of the chosen tool on the first visit: once for each tool, until it is used or another one is chosen. One
 * press switches off all of them.
 */
export function ToolHint({ controller }: { readonly controller: Controller }) {
  const tool = useSignal(controller.tool);
  const preview = useSignal(controller.board.preview);
  const hidden = useSignal(controller.blocked) || isPreviewing(preview);
  const [isFirst, setFirst] = useState(() => preference("hints") === "");
  const shown = useRef(new Set<Tool>());
  const [hinted, setHinted] = useState<Tool | null>(isFirst ? tool : null);

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

  const isOther = tool !== DEFAULT_TOOL;
  const wanted = useFetchAhead(controller) || isOther;
  const code = useLazy(loadHints, isFirst && wanted, { what: "the hints" });
  const text = isOther ? code?.toolHint(tool) : t("Press and move to draw");
  if (!isFirst || hidden || hinted !== tool || !text) return null;
  return (
    <div className="first-hint tool-hint" role="note">
      <p>{text}</p>
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

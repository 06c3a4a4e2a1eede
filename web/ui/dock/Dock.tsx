import { Ellipsis, LayoutGrid, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Colors } from "./Colors.tsx";
import { Hint } from "../kit/Hint.tsx";
import type { Controller } from "../controller/controller.ts";
import { MORE_TOOLS } from "../../../board/tools.ts";
import { useMoreTools } from "./useMoreTools.ts";
import { useSignal } from "../kit/useSignal.ts";
import { offWhile } from "../kit/labels.ts";
import { Tools } from "./Tools.tsx";
import { t } from "../language/text.ts";

interface Props {
  readonly controller: Controller;
  /** Whether the panel of the chosen tool is open. */
  readonly panelOpen: boolean;
  readonly onPanelOpen: (open: boolean) => void;
  readonly hidden: boolean;
}

/**
 * The floating panel: tools, colours and, set apart from them, Clear Canvas. In a small window the styles fold it to
 * the active tool and a button, which shows the rest until something is chosen.
 */
export function Dock({ controller, panelOpen, onPanelOpen, hidden }: Props) {
  const { dock, open, setOpen, toggle } = useUnfolded(hidden);
  const more = useMoreTools(controller);
  const off = offWhile(useSignal(controller.blocked));
  const moreTools = more.code && (
    <more.code.MoreTools
      controller={controller}
      orientation={more.isWide ? "vertical" : "horizontal"}
      onChosen={() => setOpen(false)}
    />
  );
  return (
    <>
      <div className="dock" ref={dock} hidden={hidden} data-open={open || undefined}>
        <Tools
          controller={controller}
          panelOpen={panelOpen}
          onPanelOpen={onPanelOpen}
          onChosen={() => setOpen(false)}
        />
        <MoreToolsButton controller={controller} isOpen={more.isOpen} onPress={more.toggle} />
        <Colors controller={controller} />
        <Hint name={t("Clear Canvas")} side="top">
          <button
            type="button"
            className="icon-button clear"
            aria-label={t("Clear Canvas")}
            {...off}
            onClick={() => {
              setOpen(false);
              controller.clear();
            }}
          >
            <Trash2 size={20} />
          </button>
        </Hint>
        <button
          ref={toggle}
          type="button"
          className="icon-button dock-toggle"
          aria-label={t("Tools")}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <LayoutGrid size={18} />
          <span>{t("Tools")}</span>
        </button>
        {!more.isWide && moreTools}
      </div>
      {more.isWide && !hidden && moreTools}
    </>
  );
}

interface MoreToolsButtonProps {
  readonly controller: Controller;
  readonly isOpen: boolean;
  readonly onPress: () => void;
}

/**
 * The button that opens and closes the second toolbar. While that is closed, the button shows that one of its tools
 * is chosen.
 */
function MoreToolsButton({ controller, isOpen, onPress }: MoreToolsButtonProps) {
  const tool = useSignal(controller.tool);
  const isChosen = MORE_TOOLS.some((row) => row.tool === tool);
  return (
    <Hint name={t("More tools")} side="top">
      <button
        type="button"
        className="icon-button more-toggle"
        aria-label={t("More tools")}
        aria-expanded={isOpen}
        data-chosen={(isChosen && !isOpen) || undefined}
        onClick={onPress}
      >
        <Ellipsis size={20} />
      </button>
    </Hint>
  );
}

/** Returns whether a folded dock is shown whole. Escape, a press beside it and `hidden` end that. */
function useUnfolded(hidden: boolean) {
  const [open, setOpen] = useState(false);
  if (hidden && open) setOpen(false);
  const dock = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const onPress = (event: Event): void => {
      if (!dock.current?.contains(event.target as Node)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      setOpen(false);
      toggle.current?.focus();
    };
    window.addEventListener("pointerdown", onPress, true);
    window.addEventListener("keydown", onKey, true);
    return () => {
      window.removeEventListener("pointerdown", onPress, true);
      window.removeEventListener("keydown", onKey, true);
    };
  }, [open]);
  return { dock, open, setOpen, toggle };
}

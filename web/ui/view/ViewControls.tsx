import { Maximize, Minus, PenLine, Plus } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import { toast } from "sonner";
import type { ViewState } from "../../canvas/port.ts";
import { AwayChips } from "./AwayChips.tsx";
import type { Controller } from "../controller/controller.ts";
import { Hint } from "../kit/Hint.tsx";
import { NOTICE_TIME } from "../kit/labels.ts";
import { only } from "../kit/only-toast.ts";
import { ZOOM_STEP } from "../kit/shortcuts.ts";
import { useSignal } from "../kit/useSignal.ts";
import { leftOutLabel } from "./outside-label.ts";
import { ShowAllOffer } from "./ShowAllOffer.tsx";
import { t, translate, type Text } from "../language/text.ts";
import "./view.css";

interface Props {
  readonly controller: Controller;
  /** Whether this device was never here before. */
  readonly isFirst: boolean;
}

/** The view's controls: zoom, Show all and, after a pen was used, the effect of one finger; and the peers outside the view. */
export function ViewControls({ controller, isFirst }: Props) {
  const { percent, moved, more, fingerPans, peers, outside, leftOut } = useSignal(controller.view);
  const { moveView } = controller;
  // A chip says it better.
  const words = outside ? "" : sideLabel(more);
  useLeftOut(leftOut);
  return (
    <>
      <div className="view" role="group" aria-label={t("View")}>
        <ZoomButtons percent={percent} moveView={moveView} />
        <ShowAllButton isNeeded={moved || more !== null} words={words} moveView={moveView} />
        {fingerPans !== null && (
          <Hint name={t("One finger draws")} side="top">
            <button
              type="button"
              className="view-button"
              aria-label={t("One finger draws")}
              aria-pressed={!fingerPans}
              onClick={() => controller.setFingerPans(!fingerPans)}
            >
              <PenLine size={18} />
            </button>
          </Hint>
        )}
      </div>
      {(peers.length > 0 || outside) && (
        <AwayChips controller={controller} peers={peers} outside={outside} />
      )}
      {isFirst && <ShowAllOffer controller={controller} />}
    </>
  );
}

type MoveView = Controller["moveView"];

interface ZoomProps {
  readonly percent: number;
  readonly moveView: MoveView;
}

// A pan changes neither these nor ShowAllButton: rendered with each report of the view, they would take nearly half of
// its scripts.
const ZoomButtons = memo(({ percent, moveView }: ZoomProps) => (
  <>
    <Hint name={t("Zoom out")} keys={["-"]} side="top">
      <button
        type="button"
        className="view-button view-wide"
        aria-label={t("Zoom out")}
        aria-keyshortcuts="-"
        aria-disabled={percent <= 10}
        onClick={() => moveView({ kind: "zoom", factor: 1 / ZOOM_STEP })}
      >
        <Minus size={18} />
      </button>
    </Hint>
    <Hint name={t("Back to 100 %")} keys={["Shift", "0"]} side="top">
      <button
        type="button"
        className="view-button view-wide view-zoom"
        aria-label={t("Zoom: {percent} %", { percent })}
        aria-keyshortcuts="Shift+0"
        onClick={() => moveView({ kind: "home" })}
      >
        {t("{percent} %", { percent })}
      </button>
    </Hint>
    <Hint name={t("Zoom in")} keys={["+"]} side="top">
      <button
        type="button"
        className="view-button view-wide"
        aria-label={t("Zoom in")}
        aria-keyshortcuts="+"
        aria-disabled={percent >= 800}
        onClick={() => moveView({ kind: "zoom", factor: ZOOM_STEP })}
      >
        <Plus size={18} />
      </button>
    </Hint>
  </>
));

interface ShowAllProps {
  /** Whether the view was moved, or there is more than it shows. */
  readonly isNeeded: boolean;
  /** The side on which there is more; empty for none. */
  readonly words: string;
  readonly moveView: MoveView;
}

const ShowAllButton = memo(({ isNeeded, words, moveView }: ShowAllProps) => (
  <Hint name={t("Show all")} keys={["Shift", "1"]} side="top">
    <button
      type="button"
      className="view-button view-all"
      aria-label={words ? t("Show all: {place}", { place: words }) : t("Show all")}
      aria-keyshortcuts="Shift+1"
      data-needed={isNeeded}
      onClick={() => moveView({ kind: "all" })}
    >
      <Maximize size={18} />
      <span className="view-words">{words || t("Show all")}</span>
    </button>
  </Hint>
));

/** Shows once what "Show all" left out. */
function useLeftOut(count: number): void {
  const isSaid = useRef(false);
  useEffect(() => {
    if (count === 0 || isSaid.current) return;
    isSaid.current = true;
    toast(leftOutLabel(count), {
      ...only("left-out"),
      closeButton: true,
      duration: NOTICE_TIME,
    });
  }, [count]);
}

/** Returns the side on which there is more than the view shows; empty when it shows everything. */
function sideLabel(side: ViewState["more"]): string {
  return side === null ? "" : translate(MORE[side]);
}

const MORE: Readonly<Record<NonNullable<ViewState["more"]>, Text>> = {
  left: "More to the left",
  right: "More to the right",
  above: "More above",
  below: "More below",
};

import { Popover, Toolbar } from "radix-ui";
import { useRef, useState, type RefObject } from "react";
import type { Controller } from "../controller/controller.ts";
import { focusCanvas } from "../controller/useCanvasFocus.ts";
import type { Off } from "../kit/labels.ts";
import { Hint } from "../kit/Hint.tsx";
import { useLazy } from "../kit/useLazy.ts";
import { t } from "../language/text.ts";

const loadColours = () => import("./ColourPalette.tsx");

interface Props {
  readonly controller: Controller;
  /** The colours of the selection (CSS), at most two. */
  readonly colors: readonly string[];
  /** The side of the toolbar that faces away from the selection. */
  readonly side: "top" | "bottom";
  /** The toolbar, beside which the colours are shown; null for beside the button. */
  readonly bar: RefObject<HTMLDivElement | null> | null;
  readonly off: Off;
}

/** The button with the selection's colour, split where there are several; a press opens the colours that it can have. */
export function ColourButton({ controller, colors, side, bar, off }: Props) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isByKey = useRef(false);
  const code = useLazy(loadColours, open, { what: "the selection's colours", attempt: open });
  return (
    <Popover.Root open={open} onOpenChange={(next) => setOpen(next && !off["aria-disabled"])}>
      {bar && <Popover.Anchor virtualRef={bar} />}
      <Hint name={t("Colour")} side="top">
        <Popover.Trigger asChild>
          <Toolbar.Button
            ref={button}
            className="bar-button"
            aria-label={t("Colour")}
            {...off}
            onClick={({ detail }) => {
              isByKey.current = detail === 0;
            }}
          >
            <span className="bar-dot">
              {(colors.length > 0 ? colors : ["transparent"]).map((color) => (
                <span key={color} style={{ backgroundColor: color }} />
              ))}
            </span>
          </Toolbar.Button>
        </Popover.Trigger>
      </Hint>
      {code && (
        <code.ColourPalette
          colors={colors}
          side={side}
          onColor={(color) => controller.editSelection({ color })}
          onClose={() => setOpen(false)}
          returnFocus={() => {
            // The button is absent after a peer has removed the object.
            if (isByKey.current && button.current) button.current.focus();
            else focusCanvas();
          }}
        />
      )}
    </Popover.Root>
  );
}

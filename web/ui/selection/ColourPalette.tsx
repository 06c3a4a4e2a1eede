import { Check } from "lucide-react";
import { Popover, Toolbar } from "radix-ui";
import { useEffect, useEffectEvent, useRef, type CSSProperties } from "react";
import { COLORS } from "../../../board/constants.ts";
import { BeforeRemoval } from "../controller/BeforeRemoval.tsx";
import { inkOn } from "../dock/contrast.ts";
import { t, translate } from "../language/text.ts";
import "./colour-palette.css";

interface Props {
  /** The colours of the selection (CSS), at most two. */
  readonly colors: readonly string[];
  /** The side of the toolbar that faces away from the selection. */
  readonly side: "top" | "bottom";
  readonly onColor: (color: string) => void;
  readonly onClose: () => void;
  readonly returnFocus: () => void;
}

/** The colours that the selection can have; the palette of the dock stays as it is. */
export function ColourPalette({ colors, side, onColor, onClose, returnFocus }: Props) {
  const current = colors.length === 1 ? colors[0] : undefined;
  return (
    <Popover.Portal container={document.querySelector("main")}>
      <Popover.Content
        className="selection-colours"
        aria-label={t("Selection colour")}
        side={side}
        sideOffset={10}
        align="start"
        collisionPadding={8}
        onCloseAutoFocus={(event) => event.preventDefault()}
      >
        <BeforeRemoval
          run={() => {
            if (document.activeElement?.closest(".selection-colours")) returnFocus();
          }}
        />
        <Toolbar.Root className="selection-swatches" aria-label={t("Colours")}>
          {COLORS.map(({ name, value }) => (
            <Toolbar.Button
              key={value}
              className="swatch"
              aria-label={translate(name)}
              aria-pressed={value === current}
              title={translate(name)}
              style={{ "--swatch": value, "--swatch-ink": inkOn(value) } as CSSProperties}
              onClick={() => {
                onColor(value);
                onClose();
              }}
            >
              <span className="swatch-dot">
                {value === current && <Check size={16} strokeWidth={3} />}
              </span>
            </Toolbar.Button>
          ))}
        </Toolbar.Root>
        <CustomColor current={current} onColor={onColor} />
      </Popover.Content>
    </Popover.Portal>
  );
}

/**
 * The input for any colour. While a colour is being picked the browser reports each one on the way; the selection
 * gets the last, as one undo step.
 */
function CustomColor({
  current,
  onColor,
}: { readonly current: string | undefined } & Pick<Props, "onColor">) {
  const input = useRef<HTMLInputElement>(null);
  const pick = useEffectEvent((event: Event) =>
    onColor((event.currentTarget as HTMLInputElement).value),
  );
  useEffect(() => {
    const picked = (event: Event): void => pick(event);
    const field = input.current;
    field?.addEventListener("change", picked);
    return () => field?.removeEventListener("change", picked);
  }, []);
  const shown = current !== undefined && /^#[0-9a-f]{6}$/.test(current) ? current : "#000000";
  useEffect(() => {
    if (input.current) input.current.value = shown;
  }, [shown]);
  const isCustom = current !== undefined && !COLORS.some(({ value }) => value === current);
  return (
    <span className="custom-color" data-active={isCustom} title={t("Custom color")}>
      <input ref={input} type="color" aria-label={t("Custom color")} defaultValue={shown} />
    </span>
  );
}

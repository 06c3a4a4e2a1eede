import { Check } from "lucide-react";
import { Toolbar } from "radix-ui";
import type { CSSProperties, WheelEvent } from "react";
import { COLORS } from "../../../board/constants.ts";
import { inkOn } from "./contrast.ts";
import { Hint } from "../kit/Hint.tsx";
import { isRightToLeft } from "../page/reading.ts";
import type { Controller } from "../controller/controller.ts";
import { useSignal } from "../kit/useSignal.ts";
import { t, translate } from "../language/text.ts";

/** The twelve presets and a custom colour; the one in use is marked. */
export function Colors({ controller }: { readonly controller: Controller }) {
  const current = useSignal(controller.color);
  const custom = !COLORS.some(({ value }) => value === current);
  return (
    <div className="colors" onWheel={scrollSideways}>
      <Toolbar.Root className="swatches" aria-label={t("Colors")}>
        {COLORS.map(({ name, value }) => (
          <Hint key={value} name={translate(name)} side="top">
            <Toolbar.Button
              className="swatch"
              aria-label={translate(name)}
              aria-pressed={value === current}
              style={{ "--swatch": value, "--swatch-ink": inkOn(value) } as CSSProperties}
              onClick={() => controller.setColor(value)}
            >
              <span className="swatch-dot">
                {value === current && <Check size={16} strokeWidth={3} />}
              </span>
            </Toolbar.Button>
          </Hint>
        ))}
      </Toolbar.Root>
      <Hint name={t("Custom color")} side="top">
        <span className="custom-color" data-active={custom}>
          <input
            type="color"
            aria-label={t("Custom color")}
            value={current}
            onChange={(event) => controller.setColor(event.currentTarget.value)}
          />
        </span>
      </Hint>
    </div>
  );
}

/** Scrolls sideways, so that a wheel with one direction reaches the colours that are out of view. */
function scrollSideways({ currentTarget, deltaY }: WheelEvent): void {
  currentTarget.scrollLeft += isRightToLeft() ? -deltaY : deltaY;
}

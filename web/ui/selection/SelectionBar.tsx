import { BringToFront, Copy, SendToBack, Square, Trash2 } from "lucide-react";
import { Toolbar } from "radix-ui";
import { useRef, type CSSProperties, type ReactNode } from "react";
import { TEXT_SIZES } from "../../../board/text-sizes.ts";
import type { SelectionFrame } from "../../canvas/port.ts";
import type { Controller } from "../controller/controller.ts";
import { coveredBox } from "./covered-box.ts";
import { Hint } from "../kit/Hint.tsx";
import { selectionLabel } from "../kit/announcer.ts";
import { barSize, panelArea, positionBar } from "./bar.ts";
import { canvasSize } from "../controller/useCanvasSize.ts";
import { ColourButton } from "./ColourButton.tsx";
import { type Off, offWhile } from "../kit/labels.ts";
import { useSignal } from "../kit/useSignal.ts";
import { t, translate } from "../language/text.ts";
import { HEADER_HEIGHT } from "../page/embed.ts";
import { isRightToLeft } from "../page/reading.ts";
import "./bar.css";

/** The least height of the window, in CSS pixels, in which the colours have space above or below the whole toolbar. */
const ROOMY = 360;

/** The toolbar beside the selection. The focus stays where it is when a pointer presses a button. */
export function SelectionBar({ controller }: { readonly controller: Controller }) {
  const bar = useRef<HTMLDivElement>(null);
  const frame = useSignal(controller.selectionFrame);
  const off = offWhile(useSignal(controller.blocked));
  const panel = useSignal(controller.panel);
  if (!frame) return null;
  const label = selectionLabel(frame.count, frame.outside);
  const { colors, outlined } = frame;
  const buttons =
    4 +
    Number(colors !== null) +
    Number(outlined !== null) +
    (hasTexts(frame) ? TEXT_SIZES.length : 0);
  const { width, height } = canvasSize();
  const contents = { buttons, labelled: label !== "" };
  const size = barSize(matchMedia("(pointer: coarse)").matches, contents, width);
  const area = {
    width,
    height,
    dock: coveredBox(".dock"),
    tools: coveredBox("main > .more-tools"),
    panel: panel && panelArea({ width, height }, HEADER_HEIGHT, isRightToLeft()),
    notice: coveredBox("[data-sonner-toast]") ?? coveredBox(".tool-hint"),
  };
  const at = positionBar(frame, size, area);
  if (!at) return null;
  const style = {
    translate: `${at.x}px ${at.y}px`,
    width: size.width,
    "--bar-button": `${size.button}px`,
  };
  return (
    <Toolbar.Root
      ref={bar}
      className="selection-bar"
      aria-label={t("Selection")}
      style={style as CSSProperties}
      onMouseDown={(event) => event.preventDefault()}
    >
      {label && <p className="bar-count">{label}</p>}
      {colors && (
        <ColourButton
          controller={controller}
          colors={colors}
          off={off}
          side={at.y < frame.top ? "top" : "bottom"}
          bar={innerHeight < ROOMY ? null : bar}
        />
      )}
      <LookButtons controller={controller} frame={frame} off={off} />
      <BarButton
        name={t("Duplicate")}
        keys={["Mod", "d"]}
        off={off}
        onPress={() => controller.editSelection("duplicate")}
      >
        <Copy size={18} />
      </BarButton>
      <BarButton name={t("To front")} off={off} onPress={() => controller.editSelection("front")}>
        <BringToFront size={18} />
      </BarButton>
      <BarButton name={t("To back")} off={off} onPress={() => controller.editSelection("back")}>
        <SendToBack size={18} />
      </BarButton>
      <BarButton
        name={t("Delete")}
        keys={["Delete"]}
        off={off}
        onPress={() => controller.removeSelection()}
      >
        <Trash2 size={18} />
      </BarButton>
    </Toolbar.Root>
  );
}

function hasTexts(frame: SelectionFrame): boolean {
  return frame.textSizes.length > 0;
}

interface LookProps {
  readonly controller: Controller;
  readonly frame: SelectionFrame;
  readonly off: Off;
}

/** The buttons that only rectangles and circles, or only texts, have. */
function LookButtons({ controller, frame, off }: LookProps) {
  const { outlined, textSizes } = frame;
  return (
    <>
      {outlined !== null && (
        <BarButton
          name={t("Outline")}
          pressed={outlined}
          off={off}
          onPress={() => controller.editSelection({ outlined: !outlined })}
        >
          <Square size={18} />
        </BarButton>
      )}
      {hasTexts(frame) && (
        <div role="group" aria-label={t("Text size")} className="bar-group">
          {TEXT_SIZES.map(({ name, size }, index) => (
            <BarButton
              key={name}
              name={translate(name)}
              pressed={textSizes.length === 1 && textSizes[0] === size}
              off={off}
              onPress={() => controller.editSelection({ textSize: size })}
            >
              <span className="bar-letter" style={{ fontSize: 12 + 4 * index }} aria-hidden>
                A
              </span>
            </BarButton>
          ))}
        </div>
      )}
    </>
  );
}

interface BarButtonProps {
  readonly name: string;
  readonly keys?: readonly string[];
  /** Whether the button is pressed; given only for one that stays pressed. */
  readonly pressed?: boolean;
  readonly off: Off;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function BarButton({ name, keys, pressed, off, onPress, children }: BarButtonProps) {
  return (
    <Hint name={name} side="top" {...(keys && { keys })}>
      <Toolbar.Button
        className="bar-button"
        aria-label={name}
        aria-pressed={pressed}
        {...off}
        onClick={onPress}
      >
        {children}
      </Toolbar.Button>
    </Hint>
  );
}

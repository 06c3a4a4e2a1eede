import { Highlighter, MoveUpRight, Slash, Sparkles, Type, type LucideIcon } from "lucide-react";
import { Toolbar } from "radix-ui";
import { MORE_TOOLS, type MoreTool, PEN_WIDTHS } from "../../../board/tools.ts";
import type { Controller } from "../controller/controller.ts";
import { Hint } from "../kit/Hint.tsx";
import { offWhile } from "../kit/labels.ts";
import { useSignal } from "../kit/useSignal.ts";
import { isRightToLeft } from "../page/reading.ts";
import { t, translate } from "../language/text.ts";
import "./more-tools.css";

const ICONS: Readonly<Record<MoreTool, LucideIcon>> = {
  text: Type,
  line: Slash,
  arrow: MoveUpRight,
  highlighter: Highlighter,
  fading: Sparkles,
};

interface Props {
  readonly controller: Controller;
  /** The direction: beside the canvas in a wide window, above the tools in others. */
  readonly orientation: "vertical" | "horizontal";
  readonly onChosen: () => void;
}

/** The second toolbar: more tools, and the width of pen, line and arrow. */
export function MoreTools({ controller, orientation, onChosen }: Props) {
  const tool = useSignal(controller.tool);
  const width = useSignal(controller.penWidth);
  const blocked = useSignal(controller.blocked);
  const active = blocked ? "select" : tool;
  const off = offWhile(blocked);
  const beside = isRightToLeft() ? "left" : "right";
  const side = orientation === "vertical" ? beside : "top";
  return (
    <Toolbar.Root
      className="more-tools"
      aria-label={t("More tools")}
      orientation={orientation}
      onClick={onChosen}
    >
      {MORE_TOOLS.map(({ tool: own, name, key }) => {
        const Icon = ICONS[own];
        return (
          <Hint key={own} name={translate(name)} keys={[key]} side={side}>
            <Toolbar.Button
              className="icon-button tool"
              aria-label={translate(name)}
              aria-pressed={own === active}
              {...off}
              aria-keyshortcuts={key.toUpperCase()}
              onClick={() => controller.setTool(own)}
            >
              <Icon size={20} />
            </Toolbar.Button>
          </Hint>
        );
      })}
      <Toolbar.ToggleGroup
        type="single"
        className="pen-widths"
        role="radiogroup"
        aria-label={t("Pen width")}
        value={String(width)}
        onValueChange={(value) => value && controller.setPenWidth(Number(value))}
      >
        {PEN_WIDTHS.map(({ name, width: own, key }) => (
          <Hint key={name} name={translate(name)} keys={[key]} side={side}>
            <Toolbar.ToggleItem
              className="icon-button tool pen-width"
              value={String(own)}
              aria-label={translate(name)}
              aria-keyshortcuts={key}
            >
              <span style={{ width: 18, height: own }} />
            </Toolbar.ToggleItem>
          </Hint>
        ))}
      </Toolbar.ToggleGroup>
    </Toolbar.Root>
  );
}

import {
  Circle,
  Eraser,
  MousePointer2,
  Pencil,
  RectangleHorizontal,
  Sticker,
  type LucideIcon,
} from "lucide-react";
import { Popover, Toolbar } from "radix-ui";
import type { FocusEvent } from "react";
import { type ToolbarTool, TOOLS } from "../../../board/tools.ts";
import { Hint } from "../kit/Hint.tsx";
import type { Controller } from "../controller/controller.ts";
import { offWhile } from "../kit/labels.ts";
import { LazyStickerPanel } from "./LazyStickerPanel.tsx";
import { useSignal } from "../kit/useSignal.ts";
import { t, translate } from "../language/text.ts";

/** The tools' icons; the type makes it an error to leave one out. */
const ICONS: Readonly<Record<ToolbarTool, LucideIcon>> = {
  select: MousePointer2,
  draw: Pencil,
  rectangle: RectangleHorizontal,
  circle: Circle,
  eraser: Eraser,
  stickers: Sticker,
};

interface Props {
  readonly controller: Controller;
  /** Whether the panel of the chosen tool is open. */
  readonly panelOpen: boolean;
  readonly onPanelOpen: (open: boolean) => void;
  /** Called when any tool was pressed. */
  readonly onChosen: () => void;
}

/** The tools, in the order of the table. A tool with a panel opens it as well. */
export function Tools({ controller, panelOpen, onPanelOpen, onChosen }: Props) {
  const tool = useSignal(controller.tool);
  const blocked = useSignal(controller.blocked);
  const active = blocked ? "select" : tool;
  return (
    <Toolbar.Root
      className="tools"
      aria-label={t("Tools")}
      onClick={onChosen}
      onFocus={beginAtActive}
    >
      {TOOLS.map(({ tool, name: english, key, alias = "", panel, mode }) => {
        const Icon = ICONS[tool];
        const name = translate(english);
        const button = (
          <Toolbar.Button
            className="icon-button tool"
            data-adds={mode === "shape" ? tool : undefined}
            aria-label={name}
            aria-pressed={tool === active}
            aria-keyshortcuts={`${key} ${alias}`.trim().toUpperCase()}
            {...offWhile(blocked && tool !== "select")}
            {...(panel === null && { onClick: () => controller.setTool(tool) })}
          >
            <Icon size={20} />
          </Toolbar.Button>
        );
        if (panel === null)
          return (
            <Hint key={tool} name={name} keys={[key]} side="top">
              {button}
            </Hint>
          );
        return (
          <Popover.Root
            key={tool}
            open={panelOpen && tool === active}
            onOpenChange={(open) => {
              if (open && blocked) return;
              if (open) controller.setTool(tool);
              onPanelOpen(open);
            }}
          >
            <Hint name={name} keys={[key]} side="top">
              <Popover.Trigger asChild>{button}</Popover.Trigger>
            </Hint>
            <LazyStickerPanel controller={controller} open={panelOpen} onOpen={onPanelOpen} />
          </Popover.Root>
        );
      })}
    </Toolbar.Root>
  );
}

/** Moves a key's focus that enters the toolbar to the active tool, wherever the focus was in it before. */
function beginAtActive(event: FocusEvent<HTMLDivElement>): void {
  const { currentTarget, relatedTarget, target } = event;
  // The focus of the sticker panel, which React has inside the toolbar and the page has beside it, arrives here too.
  if (!currentTarget.contains(target) || currentTarget.contains(relatedTarget as Node | null))
    return;
  if (!target.matches(":focus-visible")) return;
  const active = currentTarget.querySelector<HTMLElement>('[aria-pressed="true"]');
  if (!active || active === target) return;
  event.preventDefault();
  active.focus();
}

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
import type { ReactNode } from "react";
import { type Panel, TOOLS, type Tool } from "../../../board/tools.ts";
import { Hint } from "../kit/Hint.tsx";
import type { Controller } from "../controller/controller.ts";
import { useStickerPanel } from "./useStickerPanel.ts";
import { useSignal } from "../kit/useSignal.ts";

/** The tools' icons; the type makes it an error to leave one out. */
const ICONS: Readonly<Record<Tool, LucideIcon>> = {
  select: MousePointer2,
  draw: Pencil,
  rectangle: RectangleHorizontal,
  circle: Circle,
  eraser: Eraser,
  stickers: Sticker,
};

interface Props {
  readonly controller: Controller;
  /** The panel of the chosen tool is open. */
  readonly panelOpen: boolean;
  readonly onPanelOpen: (open: boolean) => void;
  /** Any tool was pressed. */
  readonly onChosen: () => void;
}

/** The tools, in the order of the table. A tool with a panel opens it as well. */
export function Tools({ controller, panelOpen, onPanelOpen, onChosen }: Props) {
  const active = useSignal(controller.tool);
  const panels: Readonly<Record<Panel, ReactNode>> = {
    stickers: useStickerPanel(controller, panelOpen, (emoji) => {
      controller.addSticker(emoji);
      onPanelOpen(false);
    }),
  };
  return (
    <Toolbar.Root className="tools" aria-label="Tools" onClick={onChosen}>
      {TOOLS.map(({ tool, name, key, panel }) => {
        const Icon = ICONS[tool];
        const button = (
          <Toolbar.Button
            className="icon-button tool"
            aria-label={name}
            aria-pressed={tool === active}
            aria-keyshortcuts={key.toUpperCase()}
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
              if (open) controller.setTool(tool);
              onPanelOpen(open);
            }}
          >
            <Hint name={name} keys={[key]} side="top">
              <Popover.Trigger asChild>{button}</Popover.Trigger>
            </Hint>
            {panels[panel]}
          </Popover.Root>
        );
      })}
    </Toolbar.Root>
  );
}

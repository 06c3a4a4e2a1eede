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
import { TOOLS, type Tool } from "../../board/spec.ts";
import { Hint } from "./Hint.tsx";
import type { Session } from "./session.ts";
import { useStickerPanel } from "./useStickerPanel.ts";
import { useStore } from "./useStore.ts";

const ICONS: Readonly<Record<Tool, LucideIcon>> = {
  select: MousePointer2,
  draw: Pencil,
  rectangle: RectangleHorizontal,
  circle: Circle,
  eraser: Eraser,
  stickers: Sticker,
};

interface Props {
  readonly session: Session;
  readonly stickersOpen: boolean;
  readonly onStickersOpen: (open: boolean) => void;
}

/** The six tools. Stickers also opens its panel. */
export function Tools({ session, stickersOpen, onStickersOpen }: Props) {
  const active = useStore(session.tool);
  const stickers = useStickerPanel(session, stickersOpen, (emoji) => {
    session.addSticker(emoji);
    onStickersOpen(false);
  });
  return (
    <Popover.Root
      open={stickersOpen}
      onOpenChange={(open) => {
        if (open) session.setTool("stickers");
        onStickersOpen(open);
      }}
    >
      <Toolbar.Root className="tools" aria-label="Tools">
        {TOOLS.map(({ tool, name, key }) => {
          const Icon = ICONS[tool];
          const button = (
            <Toolbar.Button
              className="icon-button tool"
              aria-label={name}
              aria-pressed={tool === active}
              aria-keyshortcuts={key.toUpperCase()}
              {...(tool !== "stickers" && { onClick: () => session.setTool(tool) })}
            >
              <Icon size={20} />
            </Toolbar.Button>
          );
          return (
            <Hint key={tool} name={name} keys={[key]} side="top">
              {tool === "stickers" ? <Popover.Trigger asChild>{button}</Popover.Trigger> : button}
            </Hint>
          );
        })}
      </Toolbar.Root>
      {stickers}
    </Popover.Root>
  );
}

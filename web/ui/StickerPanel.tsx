import { Popover, Toolbar } from "radix-ui";
import { STICKERS } from "../../board/stickers.ts";

/** The twenty stickers, in a panel that closes on Escape, on a click outside, and once one is chosen. */
export function StickerPanel({ onChoose }: { readonly onChoose: (emoji: string) => void }) {
  return (
    <Popover.Portal>
      <Popover.Content
        className="stickers"
        aria-label="Sticker panel"
        side="top"
        sideOffset={16}
        collisionPadding={12}
      >
        <Toolbar.Root className="stickers-grid" aria-label="Choose a sticker">
          {STICKERS.map(({ emoji, name }) => (
            <Toolbar.Button
              key={emoji}
              className="sticker"
              aria-label={name}
              title={name}
              onClick={() => onChoose(emoji)}
            >
              {emoji}
            </Toolbar.Button>
          ))}
        </Toolbar.Root>
      </Popover.Content>
    </Popover.Portal>
  );
}

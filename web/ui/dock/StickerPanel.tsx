import { Popover, Toolbar } from "radix-ui";
import type { KeyboardEvent } from "react";
import { STICKERS } from "../../../board/stickers.ts";
import type { Controller } from "../controller/controller.ts";
import { BeforeRemoval } from "../controller/BeforeRemoval.tsx";
import { focusCanvas } from "../controller/useCanvasFocus.ts";
import { t, translate } from "../language/text.ts";
import "./stickers.css";

interface Props {
  readonly controller: Controller;
  readonly onChoose: (emoji: string) => void;
}

/**
 * The twenty stickers, in a panel that closes on Escape, on a click outside, with another tool, and once one is
 * chosen.
 */
export function StickerPanel({ controller, onChoose }: Props) {
  /** Gives the canvas the focus after a key has chosen another tool: a folded toolbar hides the panel's button then. */
  const returnFocus = (): void => {
    if (!document.activeElement?.closest(".stickers")) return;
    if (controller.tool.get() !== "stickers") focusCanvas();
    else document.querySelector<HTMLElement>(".tools [aria-haspopup]")?.focus();
  };
  return (
    <Popover.Portal>
      <Popover.Content
        className="stickers"
        aria-label={t("Sticker panel")}
        side="top"
        sideOffset={16}
        collisionPadding={12}
        onCloseAutoFocus={(event) => event.preventDefault()}
      >
        <BeforeRemoval run={returnFocus} />
        <Toolbar.Root
          className="stickers-grid"
          aria-label={t("Choose a sticker")}
          onKeyDown={changeRow}
        >
          {STICKERS.map(({ emoji, name }) => (
            <Toolbar.Button
              key={emoji}
              className="sticker"
              data-adds={emoji}
              aria-label={translate(name)}
              title={translate(name)}
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

/** Moves within the column for the arrows up and down; the toolbar itself handles those to the left and right. */
function changeRow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll("button")];
  const columns = all.filter(({ offsetTop }) => offsetTop === all[0]?.offsetTop).length;
  all[all.findIndex((button) => button === document.activeElement) + step * columns]?.focus();
}

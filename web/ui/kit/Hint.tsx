import { Tooltip } from "radix-ui";
import { useState, type FocusEvent, type ReactElement } from "react";
import { t } from "../language/text.ts";
import { shortcutLabel } from "./labels.ts";

/** Whether the browser says that it runs on a device of Apple. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

interface Props {
  readonly name: string;
  /** The shortcut's keys, `Mod` for Ctrl or Command. */
  readonly keys?: readonly string[];
  readonly side: "top" | "bottom" | "left" | "right";
  /** The one control that the tooltip explains. */
  readonly children: ReactElement;
}

/** A tooltip: the control's name and its shortcut. */
export function Hint({ name, keys, side, children }: Props) {
  const shortcut = keys && shortcutLabel(keys, isMac);
  const [open, setOpen] = useState(false);
  // The container is a screen reader's landmark, which may not exist yet before the first opening.
  const container = open ? document.querySelector("main") : null;
  return (
    <Tooltip.Root onOpenChange={setOpen}>
      <Tooltip.Trigger asChild onFocus={keepForKeys}>
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal container={container}>
        <Tooltip.Content
          className="hint"
          side={side}
          sideOffset={8}
          collisionPadding={8}
          aria-label={shortcut ? t("Shortcut {shortcut}", { shortcut }) : name}
        >
          {name}
          {shortcut && <kbd>{shortcut}</kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** Keeps tooltips for keys: a touch focuses what it presses, and no tooltip must remain, so only a visible focus opens one. */
function keepForKeys(event: FocusEvent): void {
  if (!event.currentTarget.matches(":focus-visible")) event.preventDefault();
}

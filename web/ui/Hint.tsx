import { Tooltip } from "radix-ui";
import type { ReactElement } from "react";
import { shortcutLabel } from "./labels.ts";

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

interface Props {
  readonly name: string;
  /** The shortcut's keys, `Mod` for Ctrl or Command. */
  readonly keys?: readonly string[];
  readonly side: "top" | "bottom";
  /** The one control that the tooltip explains. */
  readonly children: ReactElement;
}

/** A tooltip: the control's name and its shortcut. */
export function Hint({ name, keys, side, children }: Props) {
  const shortcut = keys && shortcutLabel(keys, isMac);
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          className="hint"
          side={side}
          sideOffset={8}
          collisionPadding={8}
          aria-label={shortcut ? `Shortcut ${shortcut}` : name}
        >
          {name}
          {shortcut && <kbd>{shortcut}</kbd>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

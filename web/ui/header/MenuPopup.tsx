import type { LucideIcon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useRef, type ReactNode } from "react";
import "./menu.css";

export interface PopupItem {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
  /** A panel or a text takes the focus; else it returns to where it was. */
  readonly takesFocus?: boolean;
  /** It is shown, and does nothing. */
  readonly disabled?: boolean;
}

interface Props {
  readonly label: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** An element where the menu stands: below it, or above where more space is. */
  readonly anchor: ReactNode;
  readonly align: "start" | "end";
  /** CSS pixels between anchor and menu. */
  readonly offset: number;
  /** A press there closes the menu by itself. */
  readonly isOpener?: (target: Node) => boolean;
  /** A key opened it: the first item gets the focus, and else the menu itself. */
  readonly isByKey: () => boolean;
  readonly returnFocus: () => void;
  readonly items: readonly PopupItem[];
  /** Items below the others. */
  readonly children?: ReactNode;
}

const FIRST_ITEM = '[role="menuitem"]:not([aria-disabled="true"])';

/** A menu that is opened by something else than the library's own trigger; an anchor stands in for that. */
export function MenuPopup(props: Props) {
  const { label, open, onOpenChange, anchor, align, offset, isOpener, returnFocus } = props;
  /** A panel or something else on the page has the focus when the menu closes. */
  const leavesFocus = useRef(false);
  return (
    <DropdownMenu.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <DropdownMenu.Trigger asChild>{anchor}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.querySelector("main")}>
        <DropdownMenu.Content
          // The library looks at the keys itself, and misses one that was pressed before this code was there.
          ref={(content) => {
            if (!content || content.contains(document.activeElement) || !props.isByKey()) return;
            content.querySelector<HTMLElement>(FIRST_ITEM)?.focus();
          }}
          className="menu"
          aria-label={label}
          aria-labelledby={undefined}
          align={align}
          sideOffset={offset}
          collisionPadding={8}
          onInteractOutside={(event) => {
            if (isOpener?.(event.target as Node)) event.preventDefault();
            else leavesFocus.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!leavesFocus.current) returnFocus();
            leavesFocus.current = false;
          }}
        >
          {props.items.map(({ name, icon: Icon, run, takesFocus = false, disabled = false }) => (
            <DropdownMenu.Item
              key={name}
              className="menu-item"
              disabled={disabled}
              onSelect={() => {
                leavesFocus.current = takesFocus;
                run();
              }}
            >
              <Icon size={18} />
              {name}
            </DropdownMenu.Item>
          ))}
          {props.children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

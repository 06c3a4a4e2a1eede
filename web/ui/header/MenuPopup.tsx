import type { LucideIcon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { Fragment, useRef, type ReactNode } from "react";
import { BeforeRemoval } from "../controller/BeforeRemoval.tsx";
import { isMac } from "../kit/Hint.tsx";
import { offWhile, shortcutLabel } from "../kit/labels.ts";
import { translate, type Text } from "../language/text.ts";
import { ariaKeys } from "./aria-keys.ts";
import "./menu.css";

export interface PopupItem {
  /** The item's name: English, or a text that is not the page's, such as a sentence with a visitor's name. */
  readonly name: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
  /** Whether a panel or a text takes the focus; otherwise it returns to where it was. */
  readonly takesFocus?: boolean;
  /** The shortcut's keys, `Mod` for Ctrl or Command. */
  readonly keys?: readonly string[];
  /** Whether the item is off because the board is locked. It remains reachable by keys, and gives the reason. */
  readonly isOff?: boolean;
}

/** Items that belong together, between two lines. */
export interface PopupGroup {
  readonly name: Text;
  readonly items: readonly PopupItem[];
  /** Content below the items. */
  readonly more?: ReactNode;
}

interface Props {
  readonly label: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The element at which the menu opens: below it, or above where there is more space. */
  readonly anchor: ReactNode;
  readonly align: "start" | "end";
  /** CSS pixels between anchor and menu. */
  readonly offset: number;
  /** Whether a press on an element closes the menu by itself. */
  readonly isOpener?: (target: Node) => boolean;
  /** Whether a key opened the menu: then the first item gets the focus, otherwise the menu itself. */
  readonly isByKey: () => boolean;
  readonly returnFocus: () => void;
  /** Called a task after the menu has closed. */
  readonly onClosed?: () => void;
  readonly groups: readonly PopupGroup[];
}

const FIRST_ITEM = '[role="menuitem"]';

/** A menu that is opened by something other than the library's own trigger; an anchor stands in for that. */
export function MenuPopup(props: Props) {
  const { label, open, onOpenChange, anchor, align, offset, isOpener, returnFocus } = props;
  /** True when a panel or something else on the page has the focus as the menu closes. */
  const leavesFocus = useRef(false);
  const close = (): void => {
    // A person who continued elsewhere keeps the focus there. A submenu is beside its menu in the document.
    if (!leavesFocus.current && document.activeElement?.closest("[role=menu]")) returnFocus();
    leavesFocus.current = false;
  };
  return (
    <DropdownMenu.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <DropdownMenu.Trigger asChild>{anchor}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.querySelector("main")}>
        <DropdownMenu.Content
          // The library handles the keys itself, and misses one that was pressed before this code arrived.
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
            props.onClosed?.();
          }}
        >
          <BeforeRemoval run={close} />
          {props.groups.map(({ name, items, more }, at) => (
            <Fragment key={name}>
              {at > 0 && <DropdownMenu.Separator className="menu-line" />}
              <DropdownMenu.Group aria-label={translate(name)}>
                {items.map((item) => (
                  <Item
                    key={item.name}
                    item={item}
                    onChoose={() => {
                      leavesFocus.current = item.takesFocus ?? false;
                      item.run();
                    }}
                  />
                ))}
                {more}
              </DropdownMenu.Group>
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  readonly item: PopupItem;
  readonly onChoose: () => void;
}

function Item({ item: { name, icon: Icon, keys, isOff = false }, onChoose }: ItemProps) {
  return (
    <DropdownMenu.Item
      className="menu-item"
      {...offWhile(isOff)}
      onSelect={(event) => {
        if (isOff) event.preventDefault();
        else onChoose();
      }}
      aria-keyshortcuts={keys && ariaKeys(keys)}
    >
      <Icon size={18} />
      {translate(name)}
      {keys && (
        <kbd className="menu-keys" aria-hidden>
          {/* The order is the same in every language. */}
          <bdi>{shortcutLabel(keys, isMac)}</bdi>
        </kbd>
      )}
    </DropdownMenu.Item>
  );
}

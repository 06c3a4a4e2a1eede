import {
  Check,
  ChevronDown,
  ClipboardCopy,
  FileDown,
  FolderOpen,
  History,
  ImageDown,
  Keyboard,
  Link,
  Maximize,
  Printer,
  SunMoon,
  Type,
  Users,
  type LucideIcon,
} from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState, type RefObject } from "react";
import { copyLink } from "../link/copy-link.ts";
import type { Controller } from "../controller/controller.ts";
import type { FileAction } from "../files/drawing-files.ts";
import { SIDE_PANELS, type SidePanelName } from "../kit/labels.ts";
import { showLoadFailure } from "../kit/load-failure.ts";
import { MenuPopup } from "./MenuPopup.tsx";
import { prefer, preference } from "../kit/preferences.ts";

interface MenuItem {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly run: (controller: Controller) => void;
  /** A panel or a text takes the focus; else the focus returns to the button. */
  readonly takesFocus?: true;
}

/** Uses code that is fetched now. */
function fetched<T>(code: Promise<T>, use: (code: T) => Promise<void>): void {
  code.then(use).catch(showLoadFailure);
}

/** Asks for a file with a drawing, and adds it. */
function chooseFile(controller: Controller): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,.svg,.excalidraw,application/json,image/svg+xml";
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) fetched(import("../files/insert.ts"), (code) => code.openFile(controller, file));
  });
  input.click();
}

function panel(name: SidePanelName, icon: LucideIcon): MenuItem {
  return {
    name: SIDE_PANELS[name],
    icon,
    run: (controller) => controller.openPanel(name),
    takesFocus: true,
  };
}

function file(name: FileAction, icon: LucideIcon): MenuItem {
  return {
    name,
    icon,
    run: (controller) =>
      fetched(import("../files/drawing-files.ts"), (code) => code.runFileAction(name, controller)),
  };
}

/** The items, in the order of the menu. */
const ITEMS: readonly MenuItem[] = [
  { name: "Add text", icon: Type, run: (controller) => controller.addText(), takesFocus: true },
  { name: "Show all", icon: Maximize, run: (controller) => controller.moveView({ kind: "all" }) },
  panel("history", History),
  panel("authors", Users),
  file("Download picture (PNG)", ImageDown),
  file("Download drawing (SVG)", FileDown),
  file("Download drawing (JSON)", FileDown),
  file("Copy picture", ClipboardCopy),
  { name: "Open drawing...", icon: FolderOpen, run: chooseFile },
  file("Print", Printer),
  {
    name: "Copy link",
    icon: Link,
    run: (controller) => {
      void copyLink();
      controller.openPanel("link");
    },
    takesFocus: true,
  },
  panel("keys", Keyboard),
];

interface Props {
  readonly controller: Controller;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The button that opens the menu; it is there before this code. */
  readonly button: RefObject<HTMLButtonElement | null>;
}

/** The menu under its button, which is painted before this code arrives: an element of its size behind it is the anchor. */
export function Menu({ controller, open, onOpenChange, button }: Props) {
  return (
    <MenuPopup
      label="Menu"
      open={open}
      onOpenChange={onOpenChange}
      anchor={<span className="menu-anchor" aria-hidden />}
      align="end"
      offset={8}
      isOpener={(target) => button.current?.contains(target) === true}
      isByKey={() => button.current?.matches(":focus-visible") === true}
      returnFocus={() => button.current?.focus()}
      items={ITEMS.map((item) => ({ ...item, run: () => item.run(controller) }))}
    >
      <Appearance />
    </MenuPopup>
  );
}

const APPEARANCES = [
  ["", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

/** The item that shows three choices below it. The menu stays open, so that each choice is seen at once. */
function Appearance() {
  const [open, setOpen] = useState(false);
  const [current, setCurrent] = useState(preference("appearance"));
  return (
    <>
      <DropdownMenu.Item
        className="menu-item"
        aria-expanded={open}
        onSelect={(event) => {
          event.preventDefault();
          setOpen(!open);
        }}
      >
        <SunMoon size={18} />
        Appearance
        <ChevronDown size={18} />
      </DropdownMenu.Item>
      {open && (
        <DropdownMenu.RadioGroup aria-label="Appearance" value={current}>
          {APPEARANCES.map(([choice, name]) => (
            <DropdownMenu.RadioItem
              key={name}
              className="menu-item menu-choice"
              value={choice}
              onSelect={(event) => {
                event.preventDefault();
                prefer("appearance", choice);
                setCurrent(choice);
              }}
            >
              {name}
              <DropdownMenu.ItemIndicator>
                <Check size={18} />
              </DropdownMenu.ItemIndicator>
            </DropdownMenu.RadioItem>
          ))}
        </DropdownMenu.RadioGroup>
      )}
    </>
  );
}

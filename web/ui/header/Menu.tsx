import {
  Check,
  ChevronDown,
  ClipboardCopy,
  FileDown,
  FolderOpen,
  History,
  ImageDown,
  ImagePlus,
  Keyboard,
  KeyRound,
  Layers,
  Link,
  Maximize,
  PenTool,
  Printer,
  SunMoon,
  Type,
  Users,
  type LucideIcon,
} from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useEffect, useState, type ReactNode, type RefObject } from "react";
import { copyLink } from "../link/copy-link.ts";
import type { Controller } from "../controller/controller.ts";
import { isPreviewing } from "../controller/board-access.ts";
import { chooseFile } from "../files/choose-file.ts";
import type { FileAction } from "../files/drawing-files.ts";
import { SIDE_PANELS, type SidePanelName } from "../language/side-panels.ts";
import { showLoadFailure } from "../kit/load-failure.ts";
import { LanguageChoice } from "./LanguageChoice.tsx";
import { MenuPopup } from "./MenuPopup.tsx";
import { prefer, preference } from "../kit/preferences.ts";
import { useSignal } from "../kit/useSignal.ts";
import { TEXT_KEY } from "../kit/shortcuts.ts";
import { t, translate, type Text } from "../language/text.ts";

interface MenuItem {
  readonly name: Text;
  readonly icon: LucideIcon;
  readonly run: (controller: Controller) => void;
  /** Whether a panel or a text takes the focus; otherwise the focus returns to the button. */
  readonly takesFocus?: true;
  /** The shortcut's keys. */
  readonly keys?: readonly string[];
  /** Whether the item is shown only while something is selected. */
  readonly ofSelection?: true;
  /** Whether the item is shown only to a host. */
  readonly ofHost?: true;
}

/** Uses code that is fetched now. */
function fetched<T>(code: Promise<T>, use: (code: T) => Promise<void>): void {
  code.then(use).catch(showLoadFailure);
}

type FileCode = typeof import("../files/drawing-files.ts");

/**
 * The code of files; null until it has been fetched, which the open menu begins: WebKit lets a page write to the
 * clipboard only during the press.
 */
let fileCode: FileCode | null = null;

async function fetchFileCode(): Promise<FileCode> {
  fileCode = await import("../files/drawing-files.ts");
  return fileCode;
}

const PICTURES = ".png,.jpg,.jpeg,.webp,.gif,.svg,image/png,image/jpeg,image/webp,image/gif";

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
    ...(/selection/.test(name) && { ofSelection: true }),
    run: (controller) =>
      fileCode
        ? void fileCode.runFileAction(name, controller)
        : fetched(fetchFileCode(), (code) => code.runFileAction(name, controller)),
  };
}

type GroupName = "Write" | "View" | "Share" | "Take out" | "Help";

/** The items of each group, in the order of the menu. */
const GROUPS: Readonly<Record<GroupName, readonly MenuItem[]>> = {
  Write: [
    {
      name: "Add text",
      icon: Type,
      keys: [TEXT_KEY],
      run: (controller) => controller.addText(),
      takesFocus: true,
    },
    {
      name: "Add picture",
      icon: ImagePlus,
      run: chooseFile(PICTURES, (code, controller, file) => code.addPicture(controller, file)),
    },
    {
      name: "Open drawing...",
      icon: FolderOpen,
      run: chooseFile(
        `.json,.excalidraw,.svgz,application/json,image/svg+xml,${PICTURES}`,
        (code, controller, file) => code.takeFiles(controller, [file]),
      ),
    },
  ],
  View: [
    {
      name: "Show all",
      icon: Maximize,
      keys: ["Shift", "1"],
      run: (controller) => controller.moveView({ kind: "all" }),
    },
    panel("history", History),
    panel("objects", Layers),
    panel("authors", Users),
  ],
  Share: [
    {
      name: "Copy link",
      icon: Link,
      run: (controller) => {
        void copyLink();
        controller.openPanel("link");
      },
      takesFocus: true,
    },
    { ...panel("host", KeyRound), ofHost: true },
  ],
  "Take out": [
    file("Download selection (PNG)", ImageDown),
    file("Download picture (PNG)", ImageDown),
    file("Download selection (SVG)", FileDown),
    file("Download drawing (SVG)", FileDown),
    file("Download selection (JSON)", FileDown),
    file("Download drawing (JSON)", FileDown),
    file("Copy selection as picture", ClipboardCopy),
    file("Copy picture", ClipboardCopy),
    file("Print selection", Printer),
    file("Print", Printer),
  ],
  Help: [{ ...panel("keys", Keyboard), keys: ["?"] }],
};

/** The order of the groups. On an empty board somebody who opens the menu looks for the last ones. */
function orderOf(isEmpty: boolean): readonly GroupName[] {
  return isEmpty
    ? ["Share", "Write", "View", "Take out", "Help"]
    : ["Write", "View", "Share", "Take out", "Help"];
}

interface Props {
  readonly controller: Controller;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The button that opens the menu; it exists before this code does. */
  readonly button: RefObject<HTMLButtonElement | null>;
}

/** The menu under its button, which is painted before this code arrives: an element of its size behind it is the anchor. */
export function Menu({ controller, open, onOpenChange, button }: Props) {
  const blocked = useSignal(controller.blocked);
  useEffect(() => {
    // A failure is shown when one of its items is chosen.
    if (open) fetchFileCode().catch(() => undefined);
  }, [open]);
  return (
    <MenuPopup
      label={t("Menu")}
      open={open}
      onOpenChange={onOpenChange}
      anchor={<span className="menu-anchor" aria-hidden />}
      align="end"
      offset={8}
      isOpener={(target) => button.current?.contains(target) === true}
      isByKey={() => button.current?.matches(":focus-visible") === true}
      returnFocus={() => button.current?.focus()}
      groups={orderOf(controller.objects().length === 0).map((name) => ({
        name,
        items: GROUPS[name]
          .filter(({ ofSelection }) => !ofSelection || controller.selected.get() > 0)
          .filter(({ ofHost }) => !ofHost || controller.host !== null)
          .map((item) => ({
            ...item,
            run: () => item.run(controller),
            isOff: name === "Write" && (blocked || isPreviewing(controller.board.preview.get())),
          })),
        ...(name === "View" && {
          more: (
            <>
              <Appearance />
              <LanguageChoice />
            </>
          ),
        }),
        ...(name === "Write" && { more: PRESSURE }),
      }))}
    />
  );
}

interface SwitchProps {
  readonly choice: "pressure" | "dim";
  readonly name: Text;
  readonly note: Text;
  /** The icon; absent for an item below another one. */
  readonly icon?: ReactNode;
}

/** The item that switches a choice on or off. The menu stays open, so that the effect is visible immediately. */
function Switch({ choice, name, note, icon }: SwitchProps) {
  const [value, setValue] = useState(preference(choice));
  return (
    <DropdownMenu.CheckboxItem
      className={icon ? "menu-item" : "menu-item menu-choice"}
      checked={value === "on"}
      onSelect={(event) => {
        event.preventDefault();
        const next = value === "on" ? "" : "on";
        prefer(choice, next);
        setValue(next);
      }}
    >
      {icon}
      {translate(name)}
      <span className="menu-note" aria-hidden>
        {translate(note)}
      </span>
      <DropdownMenu.ItemIndicator>
        <Check size={18} />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  );
}

/** The item that sets whether the width of a pen's strokes follows its pressure. */
const PRESSURE = (
  <Switch choice="pressure" name="Pressure" note="of a pen" icon={<PenTool size={18} />} />
);

const APPEARANCES = [
  ["", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

/** The item that shows three choices below it. The menu stays open, so that each choice is visible immediately. */
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
        {t("Appearance")}
        <ChevronDown size={18} />
      </DropdownMenu.Item>
      {open && (
        <DropdownMenu.RadioGroup aria-label={t("Appearance")} value={current}>
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
              {t(name)}
              <DropdownMenu.ItemIndicator>
                <Check size={18} />
              </DropdownMenu.ItemIndicator>
            </DropdownMenu.RadioItem>
          ))}
        </DropdownMenu.RadioGroup>
      )}
      {open && <Switch choice="dim" name="Dim canvas" note="in dark" />}
    </>
  );
}

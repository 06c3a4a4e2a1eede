import {
  BringToFront,
  ClipboardPaste,
  Copy,
  CopyPlus,
  type LucideIcon,
  Maximize,
  Scissors,
  SendToBack,
  SquareDashedMousePointer,
  Trash2,
  Type,
  UserRound,
} from "lucide-react";
import { useRef } from "react";
import { authorOf, baseAuthor } from "../../../board/author.ts";
import type { Author } from "../../../board/drawing.ts";
import type { Point } from "../../canvas/geometry/matrix.ts";
import { callingName, isOwn, type Known, knownNow, rowKeyOf } from "../controller/author-rows.ts";
import { isPreviewing } from "../controller/board-access.ts";
import type { Controller } from "../controller/controller.ts";
import { copySelection, pasteFromClipboard } from "../files/menu-clipboard.ts";
import { MenuPopup } from "../header/MenuPopup.tsx";
import { TEXT_KEY } from "../kit/shortcuts.ts";
import { useSignal } from "../kit/useSignal.ts";
import { focusCanvas } from "../controller/useCanvasFocus.ts";
import { t, type Text } from "../language/text.ts";

/** The point at which the menu was opened. */
export interface MenuPoint {
  /** The position in CSS pixels of the window. */
  readonly x: number;
  readonly y: number;
  /** The point of the board; null when a key opened the menu. */
  readonly at: Point | null;
}

interface BoardItem {
  /** The item's name: English, or a translated "by" with somebody's name. */
  readonly name: string;
  readonly icon: LucideIcon;
  /** The shortcut's keys. */
  readonly keys?: readonly string[];
  /** The precondition of the item. */
  readonly needs: "selection" | "objects" | "picture" | "board";
  /** Whether the item changes nothing, so that a locked board allows it. */
  readonly looks?: true;
  readonly run: (controller: Controller, at: Point | null) => void;
  /** Whether the item takes the focus itself, immediately: letters that are typed while the menu closes are for it. */
  readonly takesFocus?: true;
}

interface BoardGroup {
  readonly name: Text;
  readonly items: readonly BoardItem[];
}

/** The items of each group, in the order of the menu. */
const GROUPS: readonly BoardGroup[] = [
  {
    name: "Edit",
    items: [
      {
        name: "Cut",
        icon: Scissors,
        keys: ["Mod", "x"],
        needs: "selection",
        run: (controller) => {
          if (copySelection()) controller.removeSelection();
        },
      },
      {
        name: "Copy",
        icon: Copy,
        keys: ["Mod", "c"],
        needs: "selection",
        looks: true,
        run: () => void copySelection(),
      },
      {
        name: "Paste",
        icon: ClipboardPaste,
        keys: ["Mod", "v"],
        needs: "board",
        run: pasteFromClipboard,
      },
      {
        name: "Duplicate",
        icon: CopyPlus,
        keys: ["Mod", "d"],
        needs: "selection",
        run: (controller) => controller.editSelection("duplicate"),
      },
    ],
  },
  {
    name: "Order",
    items: [
      {
        name: "To front",
        icon: BringToFront,
        keys: ["Mod", "Shift", "]"],
        needs: "selection",
        run: (controller) => controller.editSelection("front"),
      },
      {
        name: "To back",
        icon: SendToBack,
        keys: ["Mod", "Shift", "["],
        needs: "selection",
        run: (controller) => controller.editSelection("back"),
      },
      {
        name: "Delete",
        icon: Trash2,
        keys: ["Delete"],
        needs: "selection",
        run: (controller) => controller.removeSelection(),
      },
    ],
  },
  {
    name: "Board",
    items: [
      {
        name: "Select all",
        icon: SquareDashedMousePointer,
        needs: "objects",
        looks: true,
        run: (controller) => {
          controller.setTool("select");
          controller.canvas?.tools.selectAll();
        },
      },
      {
        name: "Show all",
        icon: Maximize,
        keys: ["Shift", "1"],
        needs: "picture",
        looks: true,
        run: (controller) => controller.moveView({ kind: "all" }),
      },
      {
        name: "Add text",
        icon: Type,
        keys: [TEXT_KEY],
        needs: "board",
        run: addText,
        takesFocus: true,
      },
    ],
  },
];

function addText(controller: Controller, at: Point | null): void {
  const menu = controller.canvas?.menu;
  if (!at || !menu) return controller.addText();
  controller.setTool("select");
  menu.addText(at);
}

/**
 * Returns the item that names the only person who drew the selection, and opens their row of Who drew what; none for
 * several people.
 */
function authorItem(controller: Controller): BoardItem | undefined {
  const known = knownNow(controller);
  const authors = (controller.canvas?.selection?.ids ?? []).map((id) => baseAuthor(authorOf(id)));
  const keys = new Set(authors.map((author) => rowKeyOf(author, known)));
  const [key] = keys;
  if (key === undefined || keys.size > 1) return undefined;
  return {
    name: byLabel(authors[0] ?? null, known),
    icon: UserRound,
    needs: "selection",
    looks: true,
    run: ({ mark, openPanel }) => {
      mark(key);
      openPanel("authors");
    },
  };
}

function byLabel(author: Author | null, known: Known): string {
  if (author === null) return t("by another program");
  return isOwn(author, known) ? t("by you") : t("by {name}", { name: callingName(author, known) });
}

interface Props {
  readonly controller: Controller;
  readonly point: MenuPoint;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The menu at the pointer, or at the selection. Most items act when the canvas has the focus again. */
export function ContextMenu({ controller, point, open, onClose }: Props) {
  const chosen = useRef<BoardItem | null>(null);
  const blocked = useSignal(controller.blocked);
  const isEditable = !isPreviewing(controller.board.preview.get());
  const can = {
    board: isEditable,
    objects: isEditable && controller.objects().length > 0,
    picture: controller.objects().length > 0 || controller.view.get().moved,
    selection: isEditable && controller.selected.get() > 0,
  };
  const author = authorItem(controller);
  const all: readonly BoardGroup[] = author
    ? [...GROUPS, { name: "Author", items: [author] }]
    : GROUPS;
  const groups = all.map(({ name, items }) => ({
    name,
    items: items
      .filter(({ needs }) => can[needs])
      .map((item) => ({
        ...item,
        isOff: !item.looks && blocked,
        run: () => {
          if (item.takesFocus) item.run(controller, point.at);
          else chosen.current = item;
        },
      })),
  }));
  return (
    <MenuPopup
      label={t("Board")}
      open={open}
      onOpenChange={onClose}
      anchor={<span className="menu-point" style={{ left: point.x, top: point.y }} aria-hidden />}
      align="start"
      offset={2}
      isByKey={() => point.at === null}
      returnFocus={focusCanvas}
      onClosed={() => {
        chosen.current?.run(controller, point.at);
        chosen.current = null;
      }}
      groups={groups.filter(({ items }) => items.length > 0)}
    />
  );
}

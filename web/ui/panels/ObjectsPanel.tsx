import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from "react";
import { authorOf, baseAuthor } from "../../../board/author.ts";
import type { BoardObject, ObjectId } from "../../../board/drawing.ts";
import { objectName } from "../language/object-name.ts";
import { callingName, knownNow } from "../controller/author-rows.ts";
import type { Controller } from "../controller/controller.ts";
import { useSignal } from "../kit/useSignal.ts";
import { tidyUp } from "../controller/author-actions.ts";
import { listedObjects, moveActive, ROW, rowsInView } from "./object-list.ts";
import { SidePanel } from "./SidePanel.tsx";
import "./objects.css";
import { t } from "../language/text.ts";

/**
 * The objects of the board, the topmost first, however deep they lie under others: one can be chosen, shown, selected
 * or deleted.
 */
export function ObjectsPanel({ controller }: { readonly controller: Controller }) {
  const objects = useObjects(controller);
  const isLocked = useSignal(controller.blocked);
  const { at, object, choose } = useActive(objects);
  const act = (work: (id: ObjectId) => void, isDeleting?: true) => (): void => {
    if (!object || (isDeleting && isLocked)) return;
    choose(at, isDeleting);
    work(object.id);
  };
  const select = (id: ObjectId): void => {
    controller.setTool("select");
    controller.canvas?.selection?.select([id]);
  };
  const pick = (id: ObjectId): void => {
    select(id);
    controller.actions.emit({ kind: "picked", id });
  };
  const actions = {
    goTo: act((id) => {
      pick(id);
      controller.moveView({ kind: "selection" });
    }),
    select: act(pick),
    remove: act((id) => {
      select(id);
      controller.removeSelection();
    }, true),
  };
  return (
    <SidePanel controller={controller} panel="objects">
      {objects.length === 0 ? (
        <p className="panel-note">{t("There is nothing on the board yet.")}</p>
      ) : (
        <ObjectList
          {...{ controller, objects, at }}
          isActive={object !== undefined}
          onActive={choose}
          onSelect={actions.select}
          onRemove={actions.remove}
        />
      )}
      <div className="panel-foot objects-foot">
        {(
          [
            ["Go to", actions.goTo, false],
            ["Select", actions.select, false],
            ["Delete", actions.remove, isLocked],
          ] as const
        ).map(([name, run, isOff]) => (
          <button
            key={name}
            type="button"
            className="panel-button"
            aria-disabled={!object || isOff}
            aria-describedby={isOff ? "board-locked" : undefined}
            onClick={run}
          >
            {t(name)}
          </button>
        ))}
        {controller.host && (
          <button type="button" className="panel-button" onClick={() => tidyUp(controller.board)}>
            {t("Tidy up")}
          </button>
        )}
      </div>
    </SidePanel>
  );
}

/**
 * Returns the active object and its index. A chosen one stays active, wherever peers' changes move it; none is active
 * after a peer removed it, since a key that is meant for it must not act on another one.
 */
function useActive(objects: readonly BoardObject[]) {
  const [active, setActive] = useState<{
    readonly id: ObjectId | null;
    readonly at: number;
    /** True when the visitor deletes it here: the object that takes its position becomes the active one. */
    readonly isDeleting?: boolean | undefined;
  }>({ id: null, at: 0 });
  const found = objects.findIndex(({ id }) => id === active.id);
  const at = found >= 0 ? found : Math.min(active.at, objects.length - 1);
  const isNone = found < 0 && active.id !== null && !active.isDeleting;
  const object = isNone ? undefined : objects[at];
  if (active.id !== null && object && (object.id !== active.id || at !== active.at))
    setActive({ id: object.id, at, isDeleting: found >= 0 && active.isDeleting });
  const choose = (next: number, isDeleting?: true): void =>
    setActive({ id: objects[next]?.id ?? null, at: next, isDeleting });
  return { at, object, choose };
}

/** Milliseconds after a change of the board within which further ones are listed together. */
const COLLECT = 200;

/** Returns the objects of the present board, or of a moment ago; the topmost first. */
function useObjects(controller: Controller): readonly BoardObject[] {
  const [objects, setObjects] = useState(() => listedObjects(controller.objects()));
  useEffect(() => {
    let cancel: (() => void) | null = null;
    const stop = controller.board.watch(() => {
      cancel ??= controller.startTimer(() => {
        cancel = null;
        setObjects(listedObjects(controller.objects()));
      }, COLLECT);
    });
    return () => {
      stop();
      cancel?.();
    };
  }, [controller]);
  return objects;
}

interface ListProps {
  readonly controller: Controller;
  readonly objects: readonly BoardObject[];
  /** The index of the active row, or of the row from which keys go on. */
  readonly at: number;
  readonly isActive: boolean;
  readonly onActive: (at: number) => void;
  readonly onSelect: () => void;
  readonly onRemove: () => void;
}

/** The list. Only the rows in view are elements, so that a board of thousands of objects is listed as fast as a small one. */
function ObjectList(props: ListProps) {
  const { controller, objects, at, isActive, onActive, onSelect, onRemove } = props;
  const element = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState({ top: 0, height: 600 });
  const [rowHeight, setRowHeight] = useState(ROW);
  useLayoutEffect(() => {
    const list = element.current;
    if (!list) return;
    const measure = (): void => {
      setShown({ top: list.scrollTop, height: list.clientHeight });
      setRowHeight(heightOfRow(list));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  useScroll(element, at, rowHeight, objects[at]?.id);
  const press = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(shown.height / rowHeight) - 1);
    const from = isActive || event.key !== "ArrowDown" ? at : at - 1;
    const next = moveActive(event.key, from, objects.length, page);
    if (next !== null) onActive(next);
    else if (event.key === "Enter" || event.key === " ") onSelect();
    else if (event.key === "Delete" || event.key === "Backspace") onRemove();
    else return;
    event.preventDefault();
  };
  const rows = rowsInView(objects.length, at, shown.top, shown.height, rowHeight);
  return (
    <div
      ref={element}
      className="objects"
      role="listbox"
      aria-label={t("Objects")}
      aria-activedescendant={isActive ? rowId(objects[at] as BoardObject) : undefined}
      tabIndex={0}
      onFocus={() => onActive(at)}
      onKeyDown={press}
      onScroll={({ currentTarget: { scrollTop, clientHeight } }) =>
        setShown({ top: scrollTop, height: clientHeight })
      }
    >
      <div role="presentation" style={{ height: objects.length * rowHeight }}>
        {rows.map((row) => {
          const object = objects[row] as BoardObject;
          return (
            <Row
              key={object.id}
              {...{ controller, object, row, rowHeight, total: objects.length }}
              active={isActive && row === at}
              onChoose={() => {
                element.current?.focus();
                onActive(row);
              }}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Returns the height that the two lines of a row need, with some space around them. */
function heightOfRow(list: Element): number {
  const lines = [...(list.querySelector<HTMLElement>(".object-row")?.children ?? [])];
  const text = lines.reduce((sum, line) => sum + line.getBoundingClientRect().height, 0);
  return Math.max(ROW, Math.ceil(text) + 8);
}

/**
 * Scrolls to a row that becomes the active one. Where peers' changes move the active row, the list is scrolled along with
 * it, so that the rows below the pointer stay.
 */
function useScroll(
  element: RefObject<HTMLElement | null>,
  at: number,
  rowHeight: number,
  id?: ObjectId,
): void {
  const last = useRef({ at, id });
  useLayoutEffect(() => {
    const list = element.current;
    const moved = at - last.current.at;
    const isSame = id === last.current.id;
    last.current = { at, id };
    if (!list || moved === 0) return;
    const inView = Math.max(list.scrollTop, (at + 1) * rowHeight - list.clientHeight);
    list.scrollTo(
      0,
      isSame ? list.scrollTop + moved * rowHeight : Math.min(at * rowHeight, inView),
    );
  }, [element, at, rowHeight, id]);
}

/** Returns the id of an object's row, by which assistive technology learns that another object is active. */
function rowId({ id }: BoardObject): string {
  return `object-row-${id}`;
}

interface RowProps {
  readonly controller: Controller;
  readonly object: BoardObject;
  readonly row: number;
  /** The height of each row in CSS pixels. */
  readonly rowHeight: number;
  readonly total: number;
  readonly active: boolean;
  readonly onChoose: () => void;
}

function Row({ controller, object, row, rowHeight, total, active, onChoose }: RowProps) {
  useSignal(controller.presence);
  const name = objectName(object);
  const author = baseAuthor(authorOf(object.id));
  const by = t("by {name}, at {x}, {y}", {
    name: callingName(author, knownNow(controller)),
    x: String(Math.round(object.left ?? 0)),
    y: String(Math.round(object.top ?? 0)),
  });
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus and takes the keys
    <div
      id={rowId(object)}
      className="object-row"
      role="option"
      aria-label={name}
      {...{ "aria-description": by }}
      aria-selected={active}
      aria-setsize={total}
      aria-posinset={row + 1}
      style={{ top: row * rowHeight, height: rowHeight }}
      onClick={onChoose}
    >
      <bdi className="object-name">{name}</bdi>
      {/* It is generated content: it is the row's description, and the row's name is its text. */}
      <span className="object-by" data-text={by} />
    </div>
  );
}

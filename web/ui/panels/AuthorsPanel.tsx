import { Trash2 } from "lucide-react";
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type CSSProperties,
  type RefObject,
} from "react";
import { LIMITS } from "../../../board/constants.ts";
import { keyOf } from "../../../board/peer-key.ts";
import { OTHER_PROGRAMS, type AuthorRow } from "../controller/author-rows.ts";
import type { Controller } from "../controller/controller.ts";
import { Hint } from "../kit/Hint.tsx";
import { offWhile } from "../kit/labels.ts";
import { listAuthors, removeAuthor } from "../controller/author-actions.ts";
import { PAGE, ShowMore } from "./ShowMore.tsx";
import { useSignal } from "../kit/useSignal.ts";
import { LazyTakeBack, TakeBackButton, useTaking, type Taking } from "./LazyTakeBack.tsx";
import { PauseVisitor } from "./PauseVisitor.tsx";
import { SidePanel } from "./SidePanel.tsx";
import "./authors.css";
import { dayLabel, objectsLabel, shareLabel } from "../kit/version-labels.ts";
import { plural, t } from "../language/text.ts";
import { Named } from "./Named.tsx";

/**
 * The share of each author on the board, which may have thousands: a press on it shows the objects there, and a button
 * removes all of them.
 */
export function AuthorsPanel({ controller }: { readonly controller: Controller }) {
  const rows = useAuthorRows(controller);
  const [asked, setShown] = useState(PAGE);
  const list = useRef<HTMLUListElement>(null);
  const marked = useMarkedRow(controller, rows, list);
  // A row that the canvas's menu opens may be far down.
  const shown = Math.max(asked, marked + 1);
  const taking = useTaking<AuthorRow>();
  if (taking.row)
    return (
      <SidePanel controller={controller} panel="authors">
        <LazyTakeBack {...{ controller, taking }} {...taking.row} />
      </SidePanel>
    );
  return (
    <SidePanel controller={controller} panel="authors">
      {rows && <Total rows={rows} />}
      {rows && (
        <div className="panel-list">
          <ul ref={list} className="authors" aria-label={t("Authors, the largest first")}>
            {rows.slice(0, shown).map((row, at) => (
              <Author key={row.key} {...{ row, controller, taking }} isMarked={at === marked} />
            ))}
          </ul>
          <ShowMore total={rows.length} shown={shown} onMore={() => setShown(shown + PAGE)} />
        </div>
      )}
      {!rows && <p className="panel-note">{t("Counting...")}</p>}
    </SidePanel>
  );
}

/** Returns the index of the row whose objects the canvas highlights while the panel is open; -1 for none. */
function useMarkedRow(
  { marked, mark, canvas, moveView }: Controller,
  rows: readonly AuthorRow[] | null,
  list: RefObject<HTMLUListElement | null>,
): number {
  const key = useSignal(marked);
  const at = rows?.findIndex((row) => row.key === key) ?? -1;
  const { ids, color } = rows?.[at] ?? {};
  const isThere = ids !== undefined;
  const goThere = useEffectEvent(() => ids && moveView({ kind: "objects", ids }));
  useEffect(() => {
    if (!isThere) return;
    goThere();
    list.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  }, [key, isThere, list]);
  useEffect(() => canvas?.view.mark(ids ?? null, color ?? undefined), [canvas, ids, color]);
  useEffect(
    () => () => {
      mark(null);
      canvas?.view.mark(null);
    },
    [mark, canvas],
  );
  return at;
}

/** Milliseconds after a change of the board within which further ones are counted together. */
const COLLECT = 1_000;

/** Returns the rows of the present board, or of a second ago; null until they are counted. */
function useAuthorRows({ board }: Controller): readonly AuthorRow[] | null {
  const [rows, setRows] = useState<readonly AuthorRow[] | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const count = async (): Promise<void> => {
      const counted = await listAuthors(board.client());
      if (!isOver) setRows(counted);
    };
    const stop = board.watch(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void count();
      }, COLLECT);
    });
    void count();
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, [board]);
  return rows;
}

function Total({ rows }: { readonly rows: readonly AuthorRow[] }) {
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const objects = rows.reduce((sum, row) => sum + row.ids.length, 0);
  return (
    <div className="panel-total">
      <p>
        {t("{objects}, {share} of the space", {
          objects: objectsLabel(objects),
          share: shareLabel(bytes),
        })}
      </p>
      <Bar bytes={bytes} />
    </div>
  );
}

/** A bar for the share of a drawing's greatest size, which the text beside it states too. */
function Bar({ bytes }: { readonly bytes: number }) {
  const percent = Math.min(100, (100 * bytes) / LIMITS.canvasBytes);
  return (
    <span className="share" aria-hidden>
      <span className="share-part" style={{ width: `${percent}%` }} />
    </span>
  );
}

/** Returns a text such as "3 objects, 1 of them hidden, 5 % of the space". */
function sizeOf({ ids, hidden, bytes }: AuthorRow): string {
  const values = { objects: objectsLabel(ids.length), share: shareLabel(bytes) };
  if (hidden === 0) return t("{objects}, {share} of the space", values);
  return plural(
    hidden,
    "{objects}, {count} of them hidden, {share} of the space",
    "{objects}, {count} of them hidden, {share} of the space",
    values,
  );
}

interface AuthorProps {
  readonly row: AuthorRow;
  readonly controller: Controller;
  readonly taking: Taking<AuthorRow>;
  /** Whether the canvas highlights the author's objects. */
  readonly isMarked: boolean;
}

function Author({ row, controller, taking, isMarked }: AuthorProps) {
  const { name, isOwn, color, swatches, day, ids, bytes } = row;
  const title = t("Remove everything by {name}", { name });
  const off = offWhile(useSignal(controller.blocked));
  return (
    <li className="author">
      <button
        type="button"
        className="author-text"
        aria-pressed={isMarked}
        onClick={() => controller.mark(isMarked ? null : row.key)}
      >
        <span className="author-name">
          {color && <span className="author-dot" style={{ "--author": color } as CSSProperties} />}
          <span>
            <Named name={color === null ? t(OTHER_PROGRAMS) : name}>
              {(shown) => (isOwn ? t("{name} (you)", { name: shown }) : shown)}
            </Named>
          </span>
          {day !== null && <span className="author-day"> {dayLabel(day)}</span>}
        </span>
        <span className="author-size">{sizeOf(row)}</span>
        <Bar bytes={bytes} />
        <span className="author-colors" aria-hidden>
          {swatches.map((swatch) => (
            <span key={swatch} style={{ background: swatch }} />
          ))}
        </span>
      </button>
      {controller.host && !isOwn && (
        <>
          <PauseAuthor {...{ row, controller }} />
          <TakeBackButton {...{ row, taking }} />
        </>
      )}
      {ids.length > 0 && (
        <Hint name={title} side="bottom">
          <button
            type="button"
            className="icon-button clear"
            aria-label={title}
            {...off}
            onClick={() => void removeAuthor(controller.board, row)}
          >
            <Trash2 size={18} />
          </button>
        </Hint>
      )}
    </li>
  );
}

/** The host's button that pauses an author who is online; nobody else can be paused. */
function PauseAuthor({ row, controller }: Pick<AuthorProps, "row" | "controller">) {
  const { peers } = useSignal(controller.presence);
  const page = [...peers.keys()].find((clientId) => row.culprits.has(keyOf(clientId)));
  return page && <PauseVisitor controller={controller} clientId={page} name={row.name} />;
}

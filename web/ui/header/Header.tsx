import {
  CloudAlert,
  CloudCheck,
  CloudOff,
  CloudUpload,
  LoaderCircle,
  Redo2,
  Undo2,
  type LucideIcon,
} from "lucide-react";
import { TAGLINE } from "../../../board/constants.ts";
import type { SaveState } from "../../sync/port.ts";
import { Hint } from "../kit/Hint.tsx";
import { offWhile, onlineLabel, saveStateLabel } from "../kit/labels.ts";
import { isPreviewing } from "../controller/board-access.ts";
import { EMBEDDING } from "../page/embed.ts";
import { Logo } from "../page/Logo.tsx";
import { MenuButton } from "./MenuButton.tsx";
import type { Controller } from "../controller/controller.ts";
import { useLazy } from "../kit/useLazy.ts";
import { useSignal } from "../kit/useSignal.ts";
import { t, translate } from "../language/text.ts";

/** The bar at the top: name, badge, save state, undo, redo and the menu; in a page of another site only save state, undo and redo. */
export function Header({ controller }: { readonly controller: Controller }) {
  const productName = useSignal(controller.productName);
  const progress = useSignal(controller.progress);
  const loading = progress === "loading" && (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <progress> cannot be styled alike everywhere
    <div className="progress" role="progressbar" aria-label={t("Loading the drawing")}>
      <div className="progress-bar" />
    </div>
  );
  if (EMBEDDING.isEmbedded)
    return (
      <header className="header header-embedded">
        <h1 className="unseen">{productName}</h1>
        <SaveStatus controller={controller} />
        <HistoryButtons controller={controller} />
        <LazyLockSign controller={controller} />
        {loading}
      </header>
    );
  return (
    <header className="header">
      <div className="header-brand">
        <Logo size={40} />
        <h1 className="header-title">
          <bdi>{productName}</bdi>
        </h1>
        <div className="header-tagline">{translate(TAGLINE)}</div>
      </div>
      <div className="header-state">
        <SaveStatus controller={controller} />
        <LazyLockSign controller={controller} />
        <OnlineBadge controller={controller} />
      </div>
      <div className="header-actions">
        <HistoryButtons controller={controller} />
        <MenuButton controller={controller} />
      </div>
      {loading}
    </header>
  );
}

const loadLockSign = () => import("./LockSign.tsx");

/** The sign beside the save state while the board is locked. */
function LazyLockSign({ controller }: { readonly controller: Controller }) {
  const locked = useSignal(controller.locked);
  const code = useLazy(loadLockSign, locked, { what: "the sign of the lock" });
  return locked && code && <code.LockSign />;
}

const SAVE_ICONS: Readonly<Record<SaveState["state"], LucideIcon>> = {
  loading: LoaderCircle,
  "not-loaded": CloudAlert,
  unreadable: CloudAlert,
  saved: CloudCheck,
  saving: LoaderCircle,
  waiting: CloudUpload,
  unsaved: CloudAlert,
  offline: CloudOff,
};

/** The save states that are announced; a count of unsaved changes would be read after each stroke. */
const SPOKEN: ReadonlySet<SaveState["state"]> = new Set([
  "saved",
  "offline",
  "not-loaded",
  "unreadable",
]);

function SaveStatus({ controller }: { readonly controller: Controller }) {
  const save = useSignal(controller.saveState);
  const Icon = SAVE_ICONS[save.state];
  return (
    <div className="save" data-state={save.state}>
      <Icon size={16} className="save-icon" />
      <output aria-live={SPOKEN.has(save.state) ? "polite" : "off"}>{saveStateLabel(save)}</output>
    </div>
  );
}

function OnlineBadge({ controller }: { readonly controller: Controller }) {
  const { online } = useSignal(controller.presence);
  const connected = useSignal(controller.connected);
  const isOpen = useSignal(controller.panel) === "people";
  return (
    <button
      type="button"
      className="badge"
      data-connected={connected}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={() => (isOpen ? controller.closePanel() : controller.openPanel("people"))}
    >
      <span className="badge-pill">{onlineLabel(online)}</span>
    </button>
  );
}

function HistoryButtons({ controller }: { readonly controller: Controller }) {
  const { canUndo, canRedo } = useSignal(controller.history);
  const blocked = isPreviewing(useSignal(controller.board.preview));
  const off = offWhile(useSignal(controller.blocked));
  return (
    <div className="history">
      <Hint name={t("Undo")} keys={["Mod", "z"]} side="bottom">
        <button
          type="button"
          className="icon-button"
          aria-label={t("Undo")}
          aria-keyshortcuts="Control+Z Meta+Z"
          aria-disabled={blocked || !canUndo}
          {...off}
          onClick={() => controller.undo()}
        >
          <Undo2 size={20} />
        </button>
      </Hint>
      <Hint name={t("Redo")} keys={["Shift", "Mod", "z"]} side="bottom">
        <button
          type="button"
          className="icon-button"
          aria-label={t("Redo")}
          aria-keyshortcuts="Control+Shift+Z Meta+Shift+Z Control+Y"
          aria-disabled={blocked || !canRedo}
          {...off}
          onClick={() => controller.redo()}
        >
          <Redo2 size={20} />
        </button>
      </Hint>
    </div>
  );
}

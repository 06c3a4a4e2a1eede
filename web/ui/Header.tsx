import {
  CloudCheck,
  CloudOff,
  CloudUpload,
  LoaderCircle,
  Redo2,
  Undo2,
  type LucideIcon,
} from "lucide-react";
import { TAGLINE } from "../../board/spec.ts";
import type { SaveState } from "../sync/port.ts";
import { Hint } from "./Hint.tsx";
import { onlineLabel, saveStateLabel } from "./labels.ts";
import { Logo } from "./Logo.tsx";
import type { Session } from "./session.ts";
import { useStore } from "./useStore.ts";

/** The bar at the top: what this is, who is here, what is saved, and the way back and forth. */
export function Header({ session }: { readonly session: Session }) {
  const productName = useStore(session.productName);
  const progress = useStore(session.progress);
  return (
    <header className="header">
      <div className="header-brand">
        <Logo size={40} />
        <h1 className="header-title">{productName}</h1>
        <p className="header-tagline">{TAGLINE}</p>
      </div>
      <div className="header-state">
        <SaveStatus session={session} />
        <OnlineBadge session={session} />
      </div>
      <HistoryButtons session={session} />
      {progress === "loading" && (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <progress> cannot be styled alike everywhere
        <div className="progress" role="progressbar" aria-label="Loading the drawing">
          <div className="progress-bar" />
        </div>
      )}
    </header>
  );
}

const SAVE_ICONS: Readonly<Record<SaveState["state"], LucideIcon>> = {
  loading: LoaderCircle,
  saved: CloudCheck,
  saving: LoaderCircle,
  unsaved: CloudUpload,
  offline: CloudOff,
};

function SaveStatus({ session }: { readonly session: Session }) {
  const save = useStore(session.saveState);
  const Icon = SAVE_ICONS[save.state];
  return (
    <div className="save" data-state={save.state}>
      <Icon size={16} className="save-icon" />
      <output aria-live="polite">{saveStateLabel(save)}</output>
    </div>
  );
}

function OnlineBadge({ session }: { readonly session: Session }) {
  const online = useStore(session.online);
  const { state } = useStore(session.saveState);
  return (
    <div className="badge" data-connected={state !== "offline" && state !== "loading"}>
      <span className="badge-dot" />
      <span>{onlineLabel(online)}</span>
    </div>
  );
}

function HistoryButtons({ session }: { readonly session: Session }) {
  const { canUndo, canRedo } = useStore(session.history);
  return (
    <div className="history">
      <Hint name="Undo" keys={["Mod", "z"]} side="bottom">
        <button
          type="button"
          className="icon-button"
          aria-label="Undo"
          aria-keyshortcuts="Control+Z Meta+Z"
          aria-disabled={!canUndo}
          onClick={() => session.undo()}
        >
          <Undo2 size={20} />
        </button>
      </Hint>
      <Hint name="Redo" keys={["Shift", "Mod", "z"]} side="bottom">
        <button
          type="button"
          className="icon-button"
          aria-label="Redo"
          aria-keyshortcuts="Control+Shift+Z Meta+Shift+Z Control+Y"
          aria-disabled={!canRedo}
          onClick={() => session.redo()}
        >
          <Redo2 size={20} />
        </button>
      </Hint>
    </div>
  );
}

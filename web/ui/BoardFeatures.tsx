import { useEffect, useState } from "react";
import { baseAuthor, makeAuthor } from "../../board/author.ts";
import { TEXTS } from "../../board/constants.ts";
import type { Author } from "../../board/drawing.ts";
import { selectsObjects, toolRow } from "../../board/tools.ts";
import type { ReplicaChange } from "../sync/port.ts";
import { createAnnouncer } from "./kit/announcer.ts";
import { Banner } from "./notices/Banner.tsx";
import { callingName, knownNow } from "./controller/author-rows.ts";
import { Clipboard } from "./files/Clipboard.tsx";
import { LazyContextMenu } from "./selection/LazyContextMenu.tsx";
import type { Controller } from "./controller/controller.ts";
import { isPreviewing } from "./controller/board-access.ts";
import { ImportDialog } from "./files/ImportDialog.tsx";
import { Notices } from "./notices/Notices.tsx";
import { OwnActions } from "./notices/OwnActions.tsx";
import { Printing } from "./files/Printing.tsx";
import { SelectionBar } from "./selection/SelectionBar.tsx";
import { LazySidePanel } from "./LazySidePanel.tsx";
import { useCanvasFocusFallback } from "./controller/useCanvasFocusFallback.ts";
import { useAway } from "./notices/useAway.ts";
import { useFollowing } from "./notices/useFollowing.ts";
import { useDragOut } from "./dock/drag-out.ts";
import { useDockAside } from "./dock/useDockAside.ts";
import { useTabs } from "./controller/useTabs.ts";
import { useShell } from "./useShell.ts";
import { EMBEDDING } from "./page/embed.ts";
import { preference } from "./kit/preferences.ts";
import { useLazy } from "./kit/useLazy.ts";
import { useThemeColor } from "./page/useThemeColor.ts";
import { useSignal } from "./kit/useSignal.ts";
import { WorkBar } from "./files/WorkBar.tsx";
import { t, translate } from "./language/text.ts";
import "./page/forced-colors-panels.css";
import "./page/right-to-left.css";

/**
 * The parts of the page that arrive when the board is ready: the banner, the selection's toolbar, the clipboard, the
 * panels, menus and dialogs, the printed page, and the announcements.
 */
export function BoardFeatures({ controller }: { readonly controller: Controller }) {
  useDockAside();
  useDragOut(controller);
  useFollowing(controller);
  useCanvasFocusFallback(controller);
  useAway(controller);
  useShell(controller);
  useTabs(controller);
  useThemeColor();
  return (
    <>
      {/* This is the next stop of Tab after the canvas. */}
      <SelectionBar controller={controller} />
      <CanvasHelp controller={controller} />
      <Banner controller={controller} />
      <LazyLanguageOffer />
      <Clipboard controller={controller} />
      <LazyContextMenu controller={controller} />
      <LazySidePanel controller={controller} />
      <Announcements controller={controller} />
      <OwnActions controller={controller} />
      <ImportDialog controller={controller} />
      <WorkBar />
      <Printing controller={controller} />
      <Notices controller={controller} />
    </>
  );
}

const loadLanguageOffer = () => import("./header/LanguageOffer.tsx");

/** The offer for a reader whose browser prefers another language than English, and who has not been asked yet. */
function LazyLanguageOffer() {
  const [isWanted] = useState(
    () =>
      !EMBEDDING.isEmbedded &&
      !/^en\b/i.test(navigator.language) &&
      preference("language") === "" &&
      preference("language-offer") === "",
  );
  const code = useLazy(loadLanguageOffer, isWanted, { what: "offer of a language" });
  return code && <code.LanguageOffer />;
}

/** The description of the canvas: the keys that work with the chosen tool, or the reason why nothing can be changed. */
function CanvasHelp({ controller }: { readonly controller: Controller }) {
  const tool = toolRow(useSignal(controller.tool));
  const isBlocked = useSignal(controller.blocked);
  const previewing = isPreviewing(useSignal(controller.board.preview));
  const keys = selectsObjects(tool) ? HELP.select : HELP.draw;
  return (
    <>
      <p id="canvas-help" className="unseen">
        {previewing
          ? t("Shows an earlier version of the board, read only")
          : isBlocked
            ? translate(TEXTS.locked)
            : t(keys, { tool: translate(tool.name) })}
      </p>
      {/* It names the field of a text that is being written. */}
      <p id="text-name" hidden>
        {t("Text")}
      </p>
    </>
  );
}

const HELP = {
  draw: "{tool}: arrow keys move a crosshair, Space begins and ends a stroke.",
  select:
    "{tool}: brackets go through the objects, Space selects at the crosshair. Arrow keys move what is selected, Delete removes it, Escape lets go of it.",
} as const;

function upperFirst(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** An author that no page has (see `baseAuthor`). */
const ANOTHER_PROGRAM = "f" as Author;

/** Returns an author of the peer that removed something; null for one who is not online, so that nobody is named by mistake. */
function removerOf({ sender }: ReplicaChange, { presence }: Controller): Author | null {
  if (!sender) return null;
  if (sender.isPlain) return ANOTHER_PROGRAM;
  const { clientId } = sender;
  return presence.get().peers.has(clientId) ? makeAuthor(0, clientId) : null;
}

/** Announces the actions of peers to screen readers. Each sentence is a new element, so that an equal one is read too. */
function Announcements({ controller }: { readonly controller: Controller }) {
  const [{ sentence, count }, setSaid] = useState({ sentence: "", count: 0 });
  useEffect(() => {
    const announcer = createAnnouncer(
      (said) => setSaid((before) => ({ sentence: said, count: before.count + 1 })),
      controller.startTimer,
      (author) => {
        const base = baseAuthor(author);
        if (base === null) return t("Another program");
        return upperFirst(callingName(base, knownNow(controller)));
      },
    );
    const stop = controller.actions.listen((action) => {
      if (action.kind === "edit" && action.origin === "remote")
        announcer.add(action.changes, removerOf(action, controller));
    });
    return () => {
      stop();
      announcer.dispose();
    };
  }, [controller]);
  return (
    <div className="unseen" role="log" aria-live="polite" aria-label={t("What others do")}>
      <p key={count}>{sentence}</p>
    </div>
  );
}

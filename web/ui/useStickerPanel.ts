import { createElement, useEffect, useState, type ReactNode } from "react";
import type { Session } from "./session.ts";
import { useStore } from "./useStore.ts";

type StickerPanel = typeof import("./StickerPanel.tsx").StickerPanel;

/**
 * The panel of the stickers, once its code is there. It is fetched when the board is ready, so that
 * it can be opened without a network; if that fails, each opening tries again.
 */
export function useStickerPanel(
  session: Session,
  open: boolean,
  onChoose: (emoji: string) => void,
): ReactNode {
  const ready = useStore(session.progress) === "ready";
  const [panel, setPanel] = useState<{ readonly StickerPanel: StickerPanel } | null>(null);
  const wanted = panel === null && (ready || open);
  useEffect(() => {
    if (!wanted) return;
    import("./StickerPanel.tsx").then(setPanel, (reason: unknown) =>
      console.error("the stickers could not be loaded:", reason),
    );
  }, [wanted, open]);
  return panel && createElement(panel.StickerPanel, { onChoose });
}

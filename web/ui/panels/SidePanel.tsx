import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { isPreviewing } from "../controller/board-access.ts";
import type { Controller } from "../controller/controller.ts";
import { SIDE_PANELS, type SidePanelName } from "../language/side-panels.ts";
import "./side-panel.css";
import { t } from "../language/text.ts";

interface Props {
  readonly controller: Controller;
  readonly panel: SidePanelName;
  readonly children: ReactNode;
}

/** The code of a key that an input method has taken: its Escape ends what it composes, in Safari before the event. */
const INPUT_METHOD = 229;

/**
 * A panel beside the canvas, which remains usable. Escape ends what the visitor writes, draws or drags, or a preview,
 * and only then closes the panel.
 */
export function SidePanel({ controller, panel, children }: Props) {
  const content = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);
  const hasFocus = useRef(false);
  // A focused button that disappears, as with the row of a peer who leaves, must not take the focus with it.
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) content.current?.focus();
  });
  // The focus returns while the panel still exists. The library's own event arrives a task later: on a busy page,
  // useCanvasFocusFallback has then given the focus to the canvas.
  useLayoutEffect(
    () => () => {
      // A person who continued elsewhere keeps the focus there.
      if (!content.current?.contains(document.activeElement)) return;
      const element = opener.current?.isConnected
        ? opener.current
        : document.getElementById("menu-button");
      if (element instanceof HTMLElement) element.focus();
    },
    [],
  );
  return (
    <Dialog.Root open modal={false} onOpenChange={() => controller.closePanel()}>
      <Dialog.Portal>
        <Dialog.Content
          ref={content}
          className="panel"
          aria-describedby={undefined}
          tabIndex={-1}
          onFocus={() => (hasFocus.current = true)}
          onBlur={() => (hasFocus.current = false)}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const before = document.activeElement;
            opener.current = before?.matches("button:not([role]), .canvas") ? before : null;
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            const { canvas, board } = controller;
            const isTaken =
              event.keyCode === INPUT_METHOD ||
              canvas?.selection?.editingText ||
              canvas?.menu?.isActing;
            if (!isTaken && !isPreviewing(board.preview.get())) return;
            event.preventDefault();
            board.endPreview();
          }}
        >
          <div className="panel-head">
            <Dialog.Title className="panel-title">{t(SIDE_PANELS[panel])}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label={t("Close")}>
              <X size={20} />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { useRef, type ReactNode } from "react";
import { isPreviewing } from "../controller/versions.ts";
import type { Controller } from "../controller/controller.ts";
import { SIDE_PANELS, type SidePanelName } from "../kit/labels.ts";
import "./side-panel.css";

interface Props {
  readonly controller: Controller;
  readonly panel: SidePanelName;
  readonly children: ReactNode;
}

/** A panel beside the canvas, which can be used meanwhile. Escape ends a preview first, then closes the panel. */
export function SidePanel({ controller, panel, children }: Props) {
  const opener = useRef<Element | null>(null);
  const returnFocus = (): void => {
    // Whoever went on elsewhere keeps the focus there.
    if (document.activeElement && document.activeElement !== document.body) return;
    const element = opener.current?.isConnected
      ? opener.current
      : document.getElementById("menu-button");
    if (element instanceof HTMLElement) element.focus();
  };
  return (
    <Dialog.Root open modal={false} onOpenChange={() => controller.closePanel()}>
      <Dialog.Portal>
        <Dialog.Content
          className="panel"
          aria-describedby={undefined}
          tabIndex={-1}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const before = document.activeElement;
            opener.current = before?.matches("button:not([role]), .canvas") ? before : null;
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus();
          }}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            if (!isPreviewing(controller.versions.preview.get())) return;
            event.preventDefault();
            controller.versions.back();
          }}
        >
          <div className="panel-head">
            <Dialog.Title className="panel-title">{SIDE_PANELS[panel]}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <X size={20} />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

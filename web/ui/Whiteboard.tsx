import { useEffect, useRef, useState } from "react";
import { toolRow } from "../../board/tools.ts";
import { isPreviewing } from "./controller/board-access.ts";
import { browserEnvironment, withNotices } from "./browser-environment.ts";
import { Dock } from "./dock/Dock.tsx";
import { ToolHint } from "./dock/ToolHint.tsx";
import { Header } from "./header/Header.tsx";
import { createController, type Controller } from "./controller/controller.ts";
import { useCanvasFocus } from "./controller/useCanvasFocus.ts";
import { useLazy } from "./kit/useLazy.ts";
import { EMBEDDING, HEADER_HEIGHT } from "./page/embed.ts";
import { useShortcuts } from "./useShortcuts.ts";
import { useSignal } from "./kit/useSignal.ts";
import { canvasSize, useCanvasSize } from "./controller/useCanvasSize.ts";
import { LazyViewControls } from "./view/LazyViewControls.tsx";
import { t } from "./language/text.ts";

/** The whiteboard: header, canvas and dock, and the controller behind them. */
export function Whiteboard() {
  const [controller] = useState(() => createController(browserEnvironment()));
  const [panelOpen, setPanelOpen] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  const { width, height } = useCanvasSize();
  const productName = useSignal(controller.productName);
  const previewing = isPreviewing(useSignal(controller.board.preview));
  // Otherwise the end of a lock would open it.
  if (useSignal(controller.blocked) && panelOpen) setPanelOpen(false);

  useEffect(() => {
    document.title = productName;
  }, [productName]);

  useEffect(() => {
    const { view } = EMBEDDING;
    const close = controller.open({ host: host.current!, ...canvasSize(), ...(view && { view }) });
    return () => {
      close();
      void withNotices(({ dismissNotices }) => dismissNotices());
    };
  }, [controller]);

  useEffect(() => controller.resize(width, height), [controller, width, height]);

  useShortcuts(controller, host, (tool) => {
    controller.setTool(tool);
    setPanelOpen(toolRow(tool).panel !== null);
  });
  useCanvasFocus(controller, host);

  return (
    <div className="board">
      <Header controller={controller} />
      <main>
        <div
          ref={host}
          className="canvas"
          dir="ltr"
          role="application"
          aria-label={t("Canvas")}
          aria-describedby="canvas-help"
          data-previewing={previewing}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an application takes the keys itself
          tabIndex={0}
          style={{ top: HEADER_HEIGHT, width, height }}
        />
        <LazyBoardFeatures controller={controller} />
        <Dock
          controller={controller}
          hidden={previewing}
          panelOpen={panelOpen}
          onPanelOpen={setPanelOpen}
        />
        <LazyViewControls controller={controller} />
        {/* This is the largest text of a first visit: it is painted with the dock. */}
        <ToolHint controller={controller} />
        <LoadFailure controller={controller} />
      </main>
    </div>
  );
}

const loadBoardFeatures = () => import("./BoardFeatures.tsx");

/** The parts that nobody can use before the board is ready. */
function LazyBoardFeatures({ controller }: { readonly controller: Controller }) {
  const ready = useSignal(controller.progress) === "ready";
  const code = useLazy(loadBoardFeatures, ready, { what: "toolbar and clipboard" });
  return code && <code.BoardFeatures controller={controller} />;
}

/** The screen for a canvas whose code did not arrive. A reload loses only strokes that nobody has seen. */
function LoadFailure({ controller }: { readonly controller: Controller }) {
  if (useSignal(controller.progress) !== "failed") return null;
  return (
    <div className="load-failure" role="alert">
      <p>{t("The canvas could not be loaded. Check your connection, then try again.")}</p>
      <button type="button" className="screen-action" onClick={() => location.reload()}>
        {t("Try again")}
      </button>
    </div>
  );
}

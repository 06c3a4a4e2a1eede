import { useEffect, useRef, useState } from "react";
import { LIMITS } from "../../board/spec.ts";
import { browserParts } from "./browserParts.ts";
import { Dock } from "./Dock.tsx";
import { Header } from "./Header.tsx";
import { dismissNotices } from "./notices.ts";
import { createSession, type Session } from "./session.ts";
import { useCanvasFocus } from "./useCanvasFocus.ts";
import { useDockAside } from "./useDockAside.ts";
import { useShortcuts } from "./useShortcuts.ts";
import { useStore } from "./useStore.ts";
import { canvasSize, useCanvasSize } from "./useCanvasSize.ts";

/** The whiteboard: header, canvas and dock, and the session that joins them to the others. */
export function Whiteboard() {
  const [session] = useState(() => createSession(browserParts()));
  const [stickersOpen, setStickersOpen] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  const { width, height } = useCanvasSize();
  const productName = useStore(session.productName);

  useEffect(() => {
    document.title = productName;
  }, [productName]);

  useEffect(() => {
    const close = session.open({ host: host.current!, ...canvasSize() });
    return () => {
      close();
      dismissNotices();
    };
  }, [session]);

  useEffect(() => session.resize(width, height), [session, width, height]);

  useShortcuts(session, host, (tool) => {
    session.setTool(tool);
    setStickersOpen(tool === "stickers");
  });
  useCanvasFocus(session, host);
  useDockAside(host, dock);

  return (
    <div className="board">
      <Header session={session} />
      <main>
        <div
          ref={host}
          className="canvas"
          role="application"
          aria-label="Canvas"
          aria-describedby="canvas-help"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an application takes the keys itself
          tabIndex={0}
          style={{ top: LIMITS.headerHeight, width, height }}
        />
        <p id="canvas-help" className="unseen">
          With objects selected: the arrow keys move them, Delete removes them, Escape lets go of
          them.
        </p>
        <Dock
          session={session}
          ref={dock}
          stickersOpen={stickersOpen}
          onStickersOpen={setStickersOpen}
        />
        <LoadFailure session={session} />
      </main>
      <News session={session} />
    </div>
  );
}

/** Says that the canvas did not arrive. Nothing was drawn yet, so a reload loses nothing. */
function LoadFailure({ session }: { readonly session: Session }) {
  if (useStore(session.progress) !== "failed") return null;
  return (
    <div className="load-failure" role="alert">
      <p>The canvas could not be loaded. Check your connection, then try again.</p>
      <button type="button" className="screen-action" onClick={() => location.reload()}>
        Try again
      </button>
    </div>
  );
}

/** What others did, for screen readers. A new element for each sentence, so that an equal one is read too. */
function News({ session }: { readonly session: Session }) {
  const { sentence, count } = useStore(session.news);
  return (
    <div className="unseen" role="log" aria-live="polite" aria-label="What others do">
      <p key={count}>{sentence}</p>
    </div>
  );
}

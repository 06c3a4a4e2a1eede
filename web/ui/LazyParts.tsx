import { Banner } from "./Banner.tsx";
import { Clipboard } from "./Clipboard.tsx";
import type { Controller } from "./controller.ts";
import { ImportDialog } from "./ImportDialog.tsx";
import { OwnActions } from "./OwnActions.tsx";
import { SelectionBar } from "./SelectionBar.tsx";
import { SidePanelSlot } from "./SidePanelSlot.tsx";
import { useDockAside } from "./useDockAside.ts";
import { useStore } from "./useStore.ts";
import { WorkBar } from "./WorkBar.tsx";

/**
 * The parts of the page that come when the board is ready: the banner, the selection's toolbar, the clipboard, the
 * panels, and what is announced.
 */
export function LazyParts({ controller }: { readonly controller: Controller }) {
  useDockAside();
  return (
    <>
      <Banner controller={controller} />
      <SelectionBar controller={controller} />
      <Clipboard controller={controller} />
      <SidePanelSlot controller={controller} />
      <Announcements controller={controller} />
      <OwnActions controller={controller} />
      <ImportDialog />
      <WorkBar />
    </>
  );
}

/** What peers did, for screen readers. A new element for each sentence, so that an equal one is read too. */
function Announcements({ controller }: { readonly controller: Controller }) {
  const { sentence, count } = useStore(controller.announcement);
  return (
    <div className="unseen" role="log" aria-live="polite" aria-label="What others do">
      <p key={count}>{sentence}</p>
    </div>
  );
}

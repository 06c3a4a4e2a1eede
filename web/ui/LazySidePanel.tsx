import { createElement, useCallback } from "react";
import type { Controller } from "./controller/controller.ts";
import { SIDE_PANELS, type SidePanelName } from "./language/side-panels.ts";
import { showLoadFailure } from "./kit/load-failure.ts";
import { useLazy } from "./kit/useLazy.ts";
import { useSignal } from "./kit/useSignal.ts";

/** Functions that fetch the panels' code. */
const LOADERS = {
  history: async () => (await import("./history/HistoryPanel.tsx")).HistoryPanel,
  keys: async () => (await import("./panels/KeysPanel.tsx")).KeysPanel,
  host: async () => (await import("./link/HostPanel.tsx")).HostPanel,
  link: async () => (await import("./link/LinkPanel.tsx")).LinkPanel,
  objects: async () => (await import("./panels/ObjectsPanel.tsx")).ObjectsPanel,
  people: async () => (await import("./panels/PeoplePanel.tsx")).PeoplePanel,
  authors: async () => (await import("./panels/AuthorsPanel.tsx")).AuthorsPanel,
} as const;

/** The panel that is open, if any; its code is fetched when it is opened. */
export function LazySidePanel({ controller }: { readonly controller: Controller }) {
  const panel = useSignal(controller.panel);
  return panel && <LoadedPanel key={panel} panel={panel} controller={controller} />;
}

interface Props {
  readonly panel: SidePanelName;
  readonly controller: Controller;
}

function LoadedPanel({ panel, controller }: Props) {
  const onFailure = useCallback(() => {
    controller.closePanel();
    showLoadFailure();
  }, [controller]);
  const Panel = useLazy(LOADERS[panel], true, {
    what: `the panel ${SIDE_PANELS[panel]}`,
    onFailure,
  });
  return Panel && createElement(Panel, { controller });
}

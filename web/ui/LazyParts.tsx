import type { RefObject } from "react";
import type { Tool } from "../../board/tools.ts";
import { Clipboard } from "./Clipboard.tsx";
import type { Controller } from "./controller.ts";
import { OwnActions } from "./OwnActions.tsx";
import { SelectionBar } from "./SelectionBar.tsx";
import { useShortcuts } from "./useShortcuts.ts";

export interface LazyPartsProps {
  readonly controller: Controller;
  /** The canvas. */
  readonly host: RefObject<HTMLElement | null>;
  readonly chooseTool: (tool: Tool) => void;
}

/**
 * The parts of the page that come when the board is ready: shortcuts, the selection's toolbar, the clipboard, and what
 * is announced of own actions.
 */
export function LazyParts({ controller, host, chooseTool }: LazyPartsProps) {
  useShortcuts(controller, host, chooseTool);
  return (
    <>
      <SelectionBar controller={controller} />
      <Clipboard controller={controller} />
      <OwnActions controller={controller} />
    </>
  );
}

import { createElement, type ReactNode } from "react";
import type { Controller } from "../controller/controller.ts";
import { useFetchAhead } from "../controller/useFetchAhead.ts";
import { useLazy } from "../kit/useLazy.ts";

const loadPanel = () => import("./StickerPanel.tsx");

/**
 * Returns the sticker panel, once its code has arrived. The code is fetched ahead, so that the panel opens without a
 * network; if that fails, each opening tries again.
 */
export function useStickerPanel(
  controller: Controller,
  open: boolean,
  onChoose: (emoji: string) => void,
): ReactNode {
  const ready = useFetchAhead(controller);
  const code = useLazy(loadPanel, ready || open, {
    what: "the stickers",
    attempt: open,
  });
  return code && createElement(code.StickerPanel, { onChoose });
}

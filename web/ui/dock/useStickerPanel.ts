import { createElement, type ReactNode } from "react";
import type { Controller } from "../controller/controller.ts";
import { useLazy } from "../kit/useLazy.ts";
import { useSignal } from "../kit/useSignal.ts";

const loadPanel = () => import("./StickerPanel.tsx");

/**
 * The sticker panel, once its code is there. The code is fetched when the board is ready, so that the
 * panel opens without a network; if that fails, each opening tries again.
 */
export function useStickerPanel(
  controller: Controller,
  open: boolean,
  onChoose: (emoji: string) => void,
): ReactNode {
  const ready = useSignal(controller.progress) === "ready";
  const code = useLazy(loadPanel, ready || open, {
    what: "the stickers",
    attempt: open,
  });
  return code && createElement(code.StickerPanel, { onChoose });
}

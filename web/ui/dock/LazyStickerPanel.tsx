import type { Controller } from "../controller/controller.ts";
import { useFetchAhead } from "../controller/useFetchAhead.ts";
import { useLazy } from "../kit/useLazy.ts";

const loadPanel = () => import("./StickerPanel.tsx");

interface Props {
  readonly controller: Controller;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

/**
 * The sticker panel, once its code has arrived. The code is fetched ahead, so that the panel opens without a network;
 * if that fails, each opening tries again.
 */
export function LazyStickerPanel({ controller, open, onOpen }: Props) {
  const code = useLazy(loadPanel, useFetchAhead(controller) || open, {
    what: "the stickers",
    attempt: open,
  });
  const choose = (emoji: string): void => {
    controller.addSticker(emoji);
    onOpen(false);
  };
  return code && <code.StickerPanel controller={controller} onChoose={choose} />;
}

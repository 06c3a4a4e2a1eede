/** Drags from the dock and the stickers: a shape or a sticker is added where the pointer is released. */

import { useEffect, useEffectEvent } from "react";
import { LIMITS, STICKER_FONT } from "../../../board/constants.ts";
import { isPreviewing } from "../controller/board-access.ts";
import type { Controller } from "../controller/controller.ts";
import "./drag-out.css";

/** The attribute of elements that can be dragged, with the tool or the sticker that they add. */
const ADDS = "data-adds";

/** CSS pixels that a pressed pointer must move to drag; any less is a press. */
const REACH = 8;

/** Lets a visitor drag shapes and stickers onto the board, one for each drag. */
export function useDragOut(controller: Controller): void {
  const drop = useEffectEvent((what: string, event: PointerEvent) => {
    const { clientX, clientY } = event;
    if (document.elementFromPoint(clientX, clientY)?.closest(".canvas"))
      controller.addAt(what, event);
  });
  const begin = useEffectEvent((press: PointerEvent) => {
    const source = press.target instanceof Element ? press.target.closest(`[${ADDS}]`) : null;
    const what = source?.getAttribute(ADDS);
    const { blocked, board } = controller;
    if (!source || !what || press.button !== 0) return;
    if (blocked.get() || isPreviewing(board.preview.get())) return;
    const makeImage = () =>
      imageOf(what, controller.color.get(), controller.view.get().percent / 100);
    drag(press, source, makeImage, (event) => drop(what, event));
  });
  useEffect(() => {
    const listening = new AbortController();
    document.addEventListener("pointerdown", (event) => begin(event), {
      signal: listening.signal,
      capture: true,
    });
    return () => listening.abort();
  }, []);
}

/** Follows the pointer with an image until its release, which is a drop, or until Escape or a second finger ends the drag. */
function drag(
  press: PointerEvent,
  source: Element,
  makeImage: () => HTMLElement,
  drop: (event: PointerEvent) => void,
): void {
  const dragging = new AbortController();
  const { signal } = dragging;
  const options = { signal, capture: true };
  let image: HTMLElement | null = null;
  signal.addEventListener("abort", () => image?.remove());
  window.addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== press.pointerId) return;
      const { clientX: x, clientY: y } = event;
      if (!image && Math.hypot(x - press.clientX, y - press.clientY) < REACH) return;
      image ??= document.body.appendChild(makeImage());
      image.style.translate = `calc(${x}px - 50%) calc(${y}px - 50%)`;
    },
    options,
  );
  window.addEventListener(
    "pointerup",
    (event) => {
      if (event.pointerId !== press.pointerId) return;
      const isDrag = image !== null;
      dragging.abort();
      if (isDrag) drop(event);
    },
    options,
  );
  // Otherwise the browser would take a quick drag for the throw of a scroll, and the next tap for its end.
  const keepsTouch = getComputedStyle(source).touchAction === "none";
  const take = (event: TouchEvent): void => {
    if (keepsTouch && event.cancelable) event.preventDefault();
  };
  window.addEventListener("touchmove", take, { ...options, passive: false });
  const end = (): void => dragging.abort();
  window.addEventListener("pointercancel", end, options);
  window.addEventListener("pointerdown", end, options);
  window.addEventListener("keydown", (event) => event.key === "Escape" && end(), options);
}

/** Returns the image of the dragged shape or sticker, as large as it will be on the board. */
function imageOf(what: string, color: string, zoom: number): HTMLElement {
  const image = document.createElement("div");
  image.className = "drag-image";
  image.ariaHidden = "true";
  const { rectangleWidth, rectangleHeight, circleRadius, stickerSize } = LIMITS;
  const sizes: Readonly<Record<string, readonly [number, number]>> = {
    rectangle: [rectangleWidth, rectangleHeight],
    circle: [2 * circleRadius, 2 * circleRadius],
  };
  const size = sizes[what];
  if (size) {
    const [width, height] = size.map((length) => `${length * zoom}px`) as [string, string];
    Object.assign(image.style, { width, height, background: color });
    if (what === "circle") image.style.borderRadius = "50%";
  } else {
    image.textContent = what;
    image.style.font = `${stickerSize * zoom}px ${STICKER_FONT}`;
  }
  return image;
}

import { useEffect, useEffectEvent, useState } from "react";
import { selectsObjects, toolRow } from "../../../board/tools.ts";
import type { MenuPoint } from "./ContextMenu.tsx";
import type { Controller } from "../controller/controller.ts";
import { useFetchAhead } from "../controller/useFetchAhead.ts";
import { onLongPress, TOUCH_REACH } from "./long-press.ts";
import { useLazy } from "../kit/useLazy.ts";
import { canvasSize } from "../controller/useCanvasSize.ts";
import { HEADER_HEIGHT } from "../page/embed.ts";

/** The bits of the left and the right button: a pen that draws, and the button on it. */
const STROKE_AND_MENU = 3;

const loadContextMenu = () => import("./ContextMenu.tsx");

/**
 * Opens the menu by a right click, a long press with Select, Shift+F10 or the menu key. The browser's own menu never
 * appears on the canvas.
 */
export function LazyContextMenu({ controller }: { readonly controller: Controller }) {
  const [point, setPoint] = useState<MenuPoint>({ x: 0, y: 0, at: null });
  const [open, setOpen] = useState(false);
  const code = useLazy(loadContextMenu, useFetchAhead(controller) || open, {
    what: "the canvas's menu",
    attempt: open,
  });

  const openAt = useEffectEvent(async (event: PointerEvent | MouseEvent, reach?: number) => {
    const { canvas } = controller;
    if (!canvas?.menu) await canvas?.prepare();
    const menu = canvas?.menu;
    const at = canvas?.view.pointOf(event) ?? null;
    if (menu && at) {
      const draws = !selectsObjects(toolRow(controller.tool.get()));
      if (draws && menu.isTaken(at, reach)) controller.setTool("select");
      menu.take(at, reach);
    }
    setPoint({ x: event.clientX, y: event.clientY, at });
    setOpen(true);
  });
  const onContextMenu = useEffectEvent((event: MouseEvent) => {
    const { target } = event;
    if (!(target instanceof Element) || !target.closest(".canvas, .menu")) return;
    event.preventDefault();
    const isFinger = event instanceof PointerEvent && event.pointerType === "touch";
    if (!target.closest(".canvas") || isFinger) return;
    if ((event.buttons & STROKE_AND_MENU) === STROKE_AND_MENU) ignoreRelease();
    void openAt(event);
  });
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isMenuKey = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
    if (!isMenuKey || controller.canvas?.selection?.editingText) return;
    if (event.target !== document.body && !isCanvas(event.target)) return;
    event.preventDefault();
    setPoint(pointOfSelection(controller));
    setOpen(true);
  });
  const onLong = useEffectEvent((event: PointerEvent) => {
    if (controller.tool.get() !== "select" && !controller.blocked.get()) return false;
    void openAt(event, TOUCH_REACH);
    return true;
  });

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("contextmenu", (event) => onContextMenu(event), { signal });
    window.addEventListener("keydown", (event) => onKey(event), { signal });
    const host = document.querySelector<HTMLElement>(".canvas");
    if (host) onLongPress(host, (event) => onLong(event), signal);
    return () => listening.abort();
  }, []);

  const close = (): void => setOpen(false);
  return (
    code && <code.ContextMenu controller={controller} point={point} open={open} onClose={close} />
  );
}

/**
 * Keeps the release of a stroke, during which the menu was opened, from choosing the item that happens to be below the
 * pen.
 */
function ignoreRelease(): void {
  const prevent = (event: Event): void => event.preventDefault();
  window.addEventListener("pointerup", prevent, { capture: true, once: true });
}

function isCanvas(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".canvas") !== null;
}

/** Returns the middle of the selection, as far as it is in the window, or else the middle of the canvas. */
function pointOfSelection({ selectionFrame }: Controller): MenuPoint {
  const { width, height } = canvasSize();
  const { left, top, right, bottom } = selectionFrame.get() ?? {
    ...{ left: 0, top: 0, right: width, bottom: height },
  };
  const within = (value: number, max: number): number => Math.max(0, Math.min(max, value));
  return {
    x: within((left + right) / 2, width),
    y: HEADER_HEIGHT + within((top + bottom) / 2, height),
    at: null,
  };
}

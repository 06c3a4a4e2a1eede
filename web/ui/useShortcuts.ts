import { useEffect, useEffectEvent, type RefObject } from "react";
import type { Tool } from "../../board/spec.ts";
import type { Session } from "./session.ts";
import { commandFor, type Command } from "./shortcuts.ts";

/** Listens to the keyboard for as long as the whiteboard is there. */
export function useShortcuts(
  session: Session,
  host: RefObject<HTMLElement | null>,
  chooseTool: (tool: Tool) => void,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // A panel or a tooltip that closes on Escape has had the key already.
    if (event.defaultPrevented || event.isComposing) return;
    const target = event.target;
    const command = commandFor(event, {
      typing: isField(target) || session.canvas?.editingText === true,
      onCanvas:
        target === document.body ||
        (target instanceof Node && host.current?.contains(target) === true),
      tool: session.tool.get(),
      selected: session.selected.get(),
    });
    if (!command) return;
    event.preventDefault();
    obey(command, session, chooseTool);
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

function obey(command: Command, session: Session, chooseTool: (tool: Tool) => void): void {
  const { canvas } = session;
  switch (command.kind) {
    case "tool":
      return chooseTool(command.tool);
    case "undo":
      return session.undo();
    case "redo":
      return session.redo();
    case "remove":
      return void canvas?.removeSelection();
    case "clear-selection":
      return canvas?.clearSelection();
    case "select-all":
      return canvas?.selectAll();
    case "nudge":
      return canvas?.nudge(command.dx, command.dy);
  }
}

/** True for what takes letters. A colour input does not, so shortcuts work after a colour was picked. */
function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "color";
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    target.isContentEditable
  );
}

import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import type { Tool } from "../../board/tools.ts";
import { isPreviewing } from "./controller/board-access.ts";
import type { Controller } from "./controller/controller.ts";
import { createLetterDelay } from "./notices/letter-delay.ts";
import { preference } from "./kit/preferences.ts";
import { commandFor, isLetter, type Command } from "./kit/shortcuts.ts";

/** Matches elements that take letters and Delete for themselves while they have the focus. */
const PANELS = '[role="menu"], .panel';

/** Matches the elements that take every key for themselves. A colour input does not, so shortcuts work after a colour was picked. */
const FIELDS = "input:not([type=color]), textarea, select";

/** Matches keys that act on the board: those that write nothing, and Space, which draws. */
const ACTING = /^( |Arrow|Backspace|Delete|Enter|Escape)/;

/** Listens to the keyboard for as long as the whiteboard exists. */
export function useShortcuts(
  controller: Controller,
  host: RefObject<HTMLElement | null>,
  chooseTool: (tool: Tool) => void,
): void {
  const [letters] = useState(() => createLetterDelay(controller.startTimer));
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // A panel or a tooltip that closes on Escape has already handled the key.
    if (event.defaultPrevented || event.isComposing) return;
    const target = event.target instanceof Element ? event.target : null;
    const typing =
      target?.matches(FIELDS) === true || controller.canvas?.selection?.editingText === true;
    const command = commandFor(event, {
      typing,
      letters: preference("letters") !== "off",
      onCanvas: target === document.body || host.current?.contains(target) === true,
      inPanel: Boolean(target?.closest(PANELS)),
      previewing: isPreviewing(controller.board.preview.get()),
      selected: controller.selected.get(),
    });
    if (command) event.preventDefault();
    const work = command && (() => obey(command, controller, chooseTool));
    if (isLetter(event) && !typing) letters.press(work, command?.kind === "text");
    else work?.();
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    // What is no part of a word means the tool that was chosen just before. AltGr is Control and Alt.
    const flush = (event: KeyboardEvent): void => {
      const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.length < 2;
      if (isChord || ACTING.test(event.key)) letters.flush();
    };
    window.addEventListener("keydown", flush, true);
    window.addEventListener("keydown", listen);
    // A visitor who draws immediately means the tool that was chosen last.
    window.addEventListener("pointerdown", letters.flush, true);
    return () => {
      window.removeEventListener("keydown", flush, true);
      window.removeEventListener("keydown", listen);
      window.removeEventListener("pointerdown", letters.flush, true);
      letters.dispose();
    };
  }, [letters]);
}

function obey(command: Command, controller: Controller, chooseTool: (tool: Tool) => void): void {
  const { canvas } = controller;
  switch (command.kind) {
    case "view":
      return controller.moveView(command.move);
    case "tool":
      return chooseTool(command.tool);
    case "pen-width":
      return controller.setPenWidth(command.width);
    case "undo":
      return controller.undo();
    case "redo":
      return controller.redo();
    case "remove":
      return controller.removeSelection();
    case "text":
      return controller.addText();
    case "duplicate":
      return controller.editSelection("duplicate");
    case "restack":
      return controller.editSelection(command.to);
    case "clear-selection":
      return canvas?.tools.selectNone();
    case "select-all":
      chooseTool("select");
      return canvas?.tools.selectAll();
    case "nudge":
      return canvas?.selection?.nudge(command.dx, command.dy);
    case "resize":
      return canvas?.selection?.resize(command.dx, command.dy);
    case "turn":
      return canvas?.selection?.rotate(command.degrees);
    case "keys":
      return controller.openPanel("keys");
  }
}

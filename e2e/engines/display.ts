/** An X display without a screen, with control of its mouse and keyboard. */

import { run } from "../../scripts/process.mjs";
import { startGroup, untilThere, type Group } from "./process-group.ts";
import type { Button, Input } from "./tab.ts";

export interface Display {
  /** The name, such as `:1`. */
  readonly name: string;
  readonly group: Group;
}

const BUTTONS: Readonly<Record<Button, number>> = { left: 1, middle: 2, right: 3 };
/** The buttons by which X turns the wheel. */
const WHEEL = { up: 4, down: 5 } as const;

/** The keys by X's names. */
const KEYS: Readonly<Record<string, string>> = {
  Control: "ctrl",
  Shift: "shift",
  Digit0: "0",
  Enter: "Return",
  ArrowLeft: "Left",
  ArrowUp: "Up",
  ArrowRight: "Right",
  ArrowDown: "Down",
  "=": "equal",
};

export async function startDisplay(): Promise<Display> {
  const group = startGroup("Xvfb", [
    ...["-displayfd", "3", "-nolisten", "tcp", "-screen", "0", "1280x800x24"],
  ]);
  const name = await untilThere(group, () => /^(\d+)$/m.exec(group.output())?.[1] ?? null);
  return { name: `:${name}`, group };
}

export function createInput({ name }: Display): Input {
  const act = async (...steps: readonly (string | number)[]): Promise<void> => {
    const { code, output } = await run("xdotool", steps.map(String), { env: { DISPLAY: name } });
    if (code !== 0) throw new Error(`xdotool ${steps.join(" ")}: ${output}`);
  };
  return {
    move: ([x, y]) => act("mousemove", Math.round(x), Math.round(y)),
    down: (button = "left") => act("mousedown", BUTTONS[button]),
    up: (button = "left") => act("mouseup", BUTTONS[button]),
    press: (chord) =>
      act(
        "key",
        chord
          .split("+")
          .map((key) => KEYS[key] ?? key)
          .join("+"),
      ),
    hold: (key) => act("keydown", KEYS[key] ?? key),
    letGo: (key) => act("keyup", KEYS[key] ?? key),
    type: (text) => act("type", "--delay", 20, text),
    wheel: (towards, held) =>
      held
        ? // MiniBrowser takes the wheel with Ctrl alone for itself, and leaves it with Alt to the page.
          act(
            "keydown",
            "ctrl",
            "keydown",
            "alt",
            "click",
            WHEEL[towards],
            "keyup",
            "alt",
            "keyup",
            "ctrl",
          )
        : act("click", WHEEL[towards]),
  };
}

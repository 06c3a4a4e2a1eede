import { useState } from "react";
import { MORE_TOOLS, PEN_WIDTHS, TOOLS } from "../../../board/tools.ts";
import type { Controller } from "../controller/controller.ts";
import { isMac } from "../kit/Hint.tsx";
import { shortcutLabel } from "../kit/labels.ts";
import { t, translate, type Text } from "../language/text.ts";
import { prefer, preference } from "../kit/preferences.ts";
import { TEXT_KEY } from "../kit/shortcuts.ts";
import { SidePanel } from "./SidePanel.tsx";
import "./keys.css";

type Keys = readonly [what: string, ...shortcuts: (readonly string[])[]];

/** The names of the widths of a pen. */
const PENS: Readonly<Record<(typeof PEN_WIDTHS)[number]["name"], Text>> = {
  Thin: "Thin pen",
  Medium: "Medium pen",
  Thick: "Thick pen",
};

const TEXT: Text = "Add a text";

/** The choices that keys make. */
const CHOICES: readonly Keys[] = [
  ...TOOLS.map(({ name, key, alias }) => [name, [key], ...(alias ? [[alias]] : [])] as const),
  [TEXT, [TEXT_KEY]],
  ...MORE_TOOLS.filter(({ key }) => key !== TEXT_KEY).map(
    ({ name, key }) => [name, [key]] as const,
  ),
  ...PEN_WIDTHS.map(({ name, key }) => [PENS[name], [key]] as const),
];

/** Further effects of keys, each with one or several shortcuts; the keys of one shortcut are pressed together. */
const KEYS: readonly (readonly [what: Text, ...shortcuts: (readonly string[])[]])[] = [
  ["Show these keys", ["?"]],
  ["Undo", ["Mod", "z"]],
  ["Redo", ["Mod", "Shift", "z"], ["Mod", "y"]],
  ["Select all", ["Mod", "a"]],
  ["Cut", ["Mod", "x"]],
  ["Copy", ["Mod", "c"]],
  ["Paste", ["Mod", "v"]],
  ["Remove the selection", ["Delete"], ["Backspace"]],
  ["Duplicate the selection", ["Mod", "d"]],
  ["To front or to back", ["Mod", "Shift", "]"], ["Mod", "Shift", "["]],
  ["One object forward or backward", ["Mod", "]"], ["Mod", "["]],
  ["Let go of the selection", ["Escape"]],
  ["Move the selection by 1 px", ["Arrows"]],
  ["Move the selection by 10 px", ["Shift", "Arrows"]],
  ["Resize the selection", ["Mod", "Shift", "Arrows"]],
  ["Turn the selection by 15°", ["Alt", "←"], ["Alt", "→"]],
  ["Straight lines, moves on one axis, shapes in their ratio, turns in steps of 15°", ["Shift"]],
  ["Select the object below or above", ["["], ["]"]],
  ["Move the crosshair by 10 px", ["Arrows"]],
  ["Move the crosshair by 1 px", ["Shift", "Arrows"]],
  ["Begin or end a stroke, select at the crosshair", ["Space"], ["Enter"]],
  ["Edit the selected text", ["Enter"]],
  ["Take an end of the selected line, then the other", ["Enter"]],
  ["Move the view up or down", ["PageUp"], ["PageDown"]],
  ["Move the view sideways", ["Shift", "PageUp"], ["Shift", "PageDown"]],
  ["Move the view with the pointer", ["Space"]],
  ["Zoom in or out", ["+"], ["-"]],
  ["Back to 100 %", ["Shift", "0"]],
  ["Show all", ["Shift", "1"]],
  ["Show the selection", ["Shift", "2"]],
];

/** The panel of all shortcuts, in which those of one character can be switched off. */
export function KeysPanel({ controller }: { readonly controller: Controller }) {
  const [letters, setLetters] = useState(preference("letters") !== "off");
  return (
    <SidePanel controller={controller} panel="keys">
      <label className="panel-total">
        <span>
          <input
            type="checkbox"
            checked={letters}
            onChange={({ currentTarget: { checked } }) => {
              prefer("letters", checked ? "" : "off");
              setLetters(checked);
            }}
          />{" "}
          {t("Shortcuts of one letter or sign")}
        </span>
      </label>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls is reached by keys */}
      <dl className="panel-list keys" tabIndex={0} aria-label={t("Keys")}>
        {[...CHOICES, ...KEYS].map(([what, ...shortcuts]) => (
          <div key={what}>
            <dt>{translate(what)}</dt>
            <dd>
              {shortcuts.map((keys) => (
                <kbd key={keys.join("+")}>{shortcutLabel(keys, isMac)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </SidePanel>
  );
}

import { Lock } from "lucide-react";
import { TEXTS } from "../../../board/constants.ts";
import { translate } from "../language/text.ts";
import "./lock-sign.css";

/** The sign that the board is locked; tools that are off refer to it for the reason. */
export function LockSign() {
  return (
    <div className="lock-sign">
      <Lock size={16} aria-hidden />
      <p id="board-locked" role="status">
        {translate(TEXTS.locked)}
      </p>
    </div>
  );
}

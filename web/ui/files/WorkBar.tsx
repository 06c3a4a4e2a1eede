import { useSignal } from "../kit/useSignal.ts";
import { work } from "./work.ts";
import "./work-bar.css";
import { t } from "../language/text.ts";

/** Shows what the page is working on, and offers to cancel it. */
export function WorkBar() {
  const current = useSignal(work);
  if (!current) return null;
  return (
    <div className="work">
      <p>{current.name}...</p>
      <button type="button" className="work-button" onClick={current.cancel}>
        {t("Cancel")}
      </button>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <progress> cannot be styled alike everywhere */}
      <div className="work-progress" role="progressbar" aria-label={current.name}>
        <div className="progress-bar" />
      </div>
    </div>
  );
}

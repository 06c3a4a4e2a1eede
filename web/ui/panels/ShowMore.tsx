import type { MouseEvent } from "react";
import { t } from "../language/text.ts";

/** Rows of a list that are shown at first, and added with each press of `Show more`. */
export const PAGE = 50;

interface Props {
  /** The number of rows, and of those that are shown. */
  readonly total: number;
  readonly shown: number;
  readonly onMore: () => void;
}

/** The button below a list that shows a part of its rows. */
export function ShowMore({ total, shown, onMore }: Props) {
  const show = ({ currentTarget }: MouseEvent): void => {
    const row = currentTarget.previousElementSibling?.lastElementChild;
    // With the last rows the button disappears: the next Tab leads to the first of them.
    if (total <= shown + PAGE && row instanceof HTMLElement) {
      row.tabIndex = -1;
      row.focus();
    }
    onMore();
  };
  return (
    total > shown && (
      <button type="button" className="panel-button" onClick={show}>
        {t("Show more")}
      </button>
    )
  );
}

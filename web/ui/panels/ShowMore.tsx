import { t } from "../language/text.ts";

interface Props {
  /** The number of rows, and of those that are shown. */
  readonly total: number;
  readonly shown: number;
  readonly onMore: () => void;
}

/** The button below a list that shows a part of its rows. */
export function ShowMore({ total, shown, onMore }: Props) {
  return (
    total > shown && (
      <button type="button" className="panel-button" onClick={onMore}>
        {t("Show more")}
      </button>
    )
  );
}

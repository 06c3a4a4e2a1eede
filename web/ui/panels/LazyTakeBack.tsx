import { createElement, useCallback, useMemo, useRef, useState } from "react";
import type { Culprits } from "../../../board/take-back.ts";
import { knownNow, withPagesOf } from "../controller/author-rows.ts";
import type { Controller } from "../controller/controller.ts";
import { showLoadFailure } from "../kit/load-failure.ts";
import { useLazy } from "../kit/useLazy.ts";
import { t } from "../language/text.ts";
import { ignoreHeld } from "./held-keys.ts";

/** A row of a panel whose work a host may take back. */
export interface TakenRow {
  /** The row's key, unique in its list. */
  readonly key: string;
  readonly name: string;
  readonly culprits: Culprits;
}

/** The row that the panel asks about, if any. */
export interface Taking<Row extends TakenRow> {
  readonly row: Row | null;
  readonly begin: (row: Row) => void;
  readonly end: () => void;
  /** Returns the focus to the button of the row that was asked about last. */
  readonly focus: (key: string) => (button: HTMLButtonElement | null) => void;
}

export function useTaking<Row extends TakenRow>(): Taking<Row> {
  const [row, setRow] = useState<Row | null>(null);
  const last = useRef<string | null>(null);
  return {
    row,
    begin: setRow,
    end() {
      last.current = row?.key ?? null;
      setRow(null);
    },
    focus: (key) => (button) => {
      if (button === null || last.current !== key) return;
      last.current = null;
      button.focus();
    },
  };
}

interface ButtonProps<Row extends TakenRow> {
  readonly row: Row;
  readonly taking: Taking<Row>;
}

export function TakeBackButton<Row extends TakenRow>({ row, taking }: ButtonProps<Row>) {
  return (
    <button
      ref={taking.focus(row.key)}
      type="button"
      className="panel-button"
      {...{ "aria-description": t("what {name} did", { name: row.name }) }}
      onKeyDown={ignoreHeld}
      onClick={() => taking.begin(row)}
    >
      {t("Take back")}
    </button>
  );
}

const load = async () => (await import("./TakeBack.tsx")).TakeBack;

interface Props {
  readonly controller: Controller;
  readonly name: string;
  readonly culprits: Culprits;
  readonly taking: { readonly end: () => void };
}

/** The question before a host takes back a visitor; its code is fetched when it is shown. */
export function LazyTakeBack({ controller, name, culprits, taking }: Props) {
  const onFailure = useCallback(() => {
    controller.closePanel();
    showLoadFailure();
  }, [controller]);
  const Question = useLazy(load, true, { what: "taking back", onFailure });
  const withSiblings = useMemo(
    () => withPagesOf(culprits, knownNow(controller)),
    [controller, culprits],
  );
  const { end: onEnd } = taking;
  return Question && createElement(Question, { controller, name, culprits, withSiblings, onEnd });
}

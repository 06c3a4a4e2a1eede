import { useEffect, useId, useRef, useState } from "react";
import type { Culprits, Doubt } from "../../../board/take-back.ts";
import { editWithUndo } from "../controller/undoable-edit.ts";
import type { Controller } from "../controller/controller.ts";
import { SPANS, takeBackTexts, type TakeBackPlan } from "../controller/take-back.ts";
import "./take-back.css";
import { plural, t, type Text } from "../language/text.ts";
import { takeBackOf } from "../controller/author-actions.ts";
import { ignoreHeld } from "./held-keys.ts";
import { Named } from "./Named.tsx";

interface Props {
  readonly controller: Controller;
  /** The name of the visitor who is taken back. */
  readonly name: string;
  readonly culprits: Culprits;
  /** The culprits and the other pages of their browser, as far as the drawing names any. */
  readonly withSiblings: Culprits;
  readonly onEnd: () => void;
}

type Span = keyof typeof SPANS;

const SPAN_TEXTS = {
  "10 minutes": "10 minutes",
  "An hour": "An hour",
  All: "All",
} as const satisfies Record<Span, Text>;

type State =
  | { readonly kind: "reading"; readonly part: number }
  | { readonly kind: "read"; readonly plan: TakeBackPlan }
  | { readonly kind: "failed" };

/** The question about the span and the effect, with the button that takes the visitor back. */
export function TakeBack({ controller, name, culprits, withSiblings, onEnd }: Props) {
  const [span, setSpan] = useState<Span>("10 minutes");
  const [all, setAll] = useState(false);
  const [includes, setIncludes] = useState<ReadonlySet<Doubt>>(new Set());
  const state = usePlan(controller, all ? withSiblings : culprits, span);
  const plan = state.kind === "read" ? state.plan : null;
  const texts = plan && takeBackTexts(plan, includes);
  const toggle = (doubt: Doubt): void => {
    const next = new Set(includes);
    if (!next.delete(doubt)) next.add(doubt);
    setIncludes(next);
  };
  const run = (): void => {
    if (!plan || !texts?.isSomething) return;
    takeBack(controller, plan, includes, name);
    onEnd();
  };
  const siblings = withSiblings.size - culprits.size;
  return (
    <form
      className="take-back"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <Spans name={name} span={span} onChange={setSpan} />
      {siblings > 0 && (
        <Box checked={all} onChange={() => setAll(!all)}>
          {plural(
            siblings,
            "Also another page that the drawing says are of the same browser",
            "Also {count} other pages that the drawing says are of the same browser",
          )}
        </Box>
      )}
      <p role="status" className="take-back-sum">
        {state.kind === "reading" && (
          <>
            {t("Reading versions")}
            <span
              aria-hidden
            >{`: ${t("{percent} %", { percent: Math.round(100 * state.part) })}`}</span>
          </>
        )}
        {state.kind === "failed" && t("What was done could not be read. Close this and try again.")}
        {texts?.sum}
      </p>
      {texts?.doubts.map(([doubt, text]) => (
        <Box key={doubt} checked={includes.has(doubt)} onChange={() => toggle(doubt)}>
          {text}
        </Box>
      ))}
      {texts?.notes.map((note) => (
        <p key={note} className="take-back-note">
          {note}
        </p>
      ))}
      <div className="take-back-foot">
        <button
          type="submit"
          className="panel-button panel-button-main"
          aria-disabled={!texts?.isSomething}
        >
          {t("Take back")}
        </button>
        <button type="button" className="panel-button" onClick={onEnd}>
          {t("Cancel")}
        </button>
      </div>
    </form>
  );
}

/** Runs a plan. The notice counts what was taken back, which may be more than the plan said. */
function takeBack(
  { board }: Controller,
  plan: TakeBackPlan,
  includes: ReadonlySet<Doubt>,
  name: string,
): void {
  let done = "";
  const edit = async (): Promise<boolean> => {
    const taken = await plan.run(includes);
    if (taken) ({ done } = takeBackTexts({ ...plan, ...taken }, includes));
    return taken !== null;
  };
  editWithUndo(board, edit, {
    // It is read after the edit.
    get text() {
      return t("Took back what {name} did: {done}", { name, done });
    },
    unchanged: t("There is nothing to take back from {name}", { name }),
  });
}

interface SpansProps {
  readonly name: string;
  readonly span: Span;
  readonly onChange: (span: Span) => void;
}

/** The buttons for the span; the first of them has the focus when the question is shown. */
function Spans({ name, span, onChange }: SpansProps) {
  const group = useId();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <fieldset>
      <legend>
        <Named name={name}>{(shown) => t("Take back what {name} did in", { name: shown })}</Named>
      </legend>
      {(Object.keys(SPANS) as Span[]).map((one, index) => (
        <label key={one}>
          <input
            ref={index === 0 ? first : undefined}
            type="radio"
            name={group}
            checked={span === one}
            onKeyDown={ignoreHeld}
            onChange={() => onChange(one)}
          />
          {t(SPAN_TEXTS[one])}
        </label>
      ))}
    </fieldset>
  );
}

interface BoxProps {
  readonly checked: boolean;
  readonly onChange: () => void;
  readonly children: string;
}

function Box({ checked, onChange, children }: BoxProps) {
  return (
    <label>
      <input type="checkbox" checked={checked} onChange={onChange} />
      {children}
    </label>
  );
}

/** Returns the effect that taking back would have. It is computed again when the span or the visitors change. */
function usePlan({ board }: Controller, culprits: Culprits, span: Span): State {
  const [read, setRead] = useState<{
    readonly culprits: Culprits;
    readonly span: Span;
    readonly state: State;
  } | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const show = (state: State): void => {
      if (!signal.aborted) setRead({ culprits, span, state });
    };
    const onProgress = (part: number): void => show({ kind: "reading", part });
    takeBackOf(board)
      .then((code) => code.plan(culprits, SPANS[span], { signal, onProgress }))
      .then(
        (plan) => show({ kind: "read", plan }),
        () => show({ kind: "failed" }),
      );
    return () => ending.abort();
  }, [board, culprits, span]);
  const isCurrent = read?.culprits === culprits && read.span === span;
  return isCurrent ? read.state : { kind: "reading", part: 0 };
}

import { useRef, useState } from "react";
import type { Controller } from "../controller/controller.ts";
import "./pause-visitor.css";
import { t } from "../language/text.ts";
import { ignoreHeld } from "./held-keys.ts";

interface PauseVisitorProps {
  readonly controller: Controller;
  /** A page of the visitor. */
  readonly clientId: string;
  readonly name: string;
}

/** Focuses the button again; the pressed one no longer exists. */
const focus = (button: HTMLButtonElement | null): void => button?.focus();

type Step = "closed" | "asking" | "busy" | "paused" | "failed";

/** The host's button that stops a visitor from drawing for an hour. A press asks first. */
export function PauseVisitor({ controller, clientId, name }: PauseVisitorProps) {
  const { host } = controller;
  const [step, setStep] = useState<Step>("closed");
  const [address, setAddress] = useState(false);
  const hasAsked = useRef(false);
  const pause = async (): Promise<void> => {
    setStep("busy");
    const pauses = await host?.pauses({ begin: clientId, name, address });
    setStep(pauses?.some(({ page }) => page === clientId) === true ? "paused" : "failed");
  };
  if (!host) return null;
  const isAsking = step === "asking" || step === "busy" || step === "failed";
  return (
    <div className="pause-visitor">
      {!isAsking && (
        <button
          type="button"
          className="panel-button"
          aria-label={t("Pause this visitor: {name}", { name })}
          ref={(button) => {
            if (button === null || !hasAsked.current) return;
            hasAsked.current = false;
            button.focus();
          }}
          onClick={() => {
            hasAsked.current = true;
            setStep("asking");
          }}
        >
          {t("Pause this visitor")}
        </button>
      )}
      {isAsking && (
        <div role="group" aria-label={t("Pause this visitor: {name}", { name })}>
          <p className="person-note">
            {t(
              "For an hour nothing that they draw reaches the others, on this device. The panel Host ends it.",
            )}
          </p>
          <label className="pause-address">
            <input
              type="checkbox"
              checked={address}
              onChange={({ currentTarget: { checked } }) => setAddress(checked)}
            />
            {t("Everybody at their address, as a whole school may be")}
          </label>
          <button
            type="button"
            className="panel-button"
            aria-busy={step === "busy"}
            ref={focus}
            onKeyDown={ignoreHeld}
            onClick={() => void (step !== "busy" && pause())}
          >
            {t("Pause")}
          </button>{" "}
          <button type="button" className="panel-button" onClick={() => setStep("closed")}>
            {t("Cancel")}
          </button>
        </div>
      )}
      <p role="status" className="person-note">
        {step === "paused" && t("Paused for an hour.")}
        {step === "failed" && t("The server did not answer. Try again.")}
      </p>
    </div>
  );
}

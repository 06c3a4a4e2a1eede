import { useState } from "react";
import type { Controller } from "../controller/controller.ts";
import { prefer } from "../kit/preferences.ts";
import { useSignal } from "../kit/useSignal.ts";
import { SidePanel } from "../panels/SidePanel.tsx";
import { PausedVisitors } from "./PausedVisitors.tsx";
import { pageLink } from "./address.ts";
import { copyText } from "./copy-link.ts";
import "./host.css";
import { t } from "../language/text.ts";

const UNREACHED = "The server did not answer. Try again.";

/** The host's panel: it locks the board, and gives links to those who may draw all the same. */
export function HostPanel({ controller }: { readonly controller: Controller }) {
  const { host } = controller;
  const locked = useSignal(controller.locked);
  const [message, setMessage] = useState("");
  const [link, setLink] = useState("");
  const [isBusy, setBusy] = useState(false);

  /** Runs one action at a time. */
  const run = async (action: () => Promise<string>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setMessage("");
    setMessage(await action());
    setBusy(false);
  };
  const setLock = async (): Promise<string> => {
    if (!(await host?.setLock(!locked))) return t(UNREACHED);
    controller.checkLock();
    return "";
  };
  const copyDrawingLink = async (): Promise<string> => {
    const secret = await host?.drawingSecret();
    if (!secret) return t(UNREACHED);
    const address = `${pageLink(location)}#draw=${secret}`;
    setLink(address);
    return (await copyText(address))
      ? t("Copied")
      : t("This browser did not copy it. The link is below.");
  };
  const renew = async (): Promise<string> => {
    const secret = await host?.renew();
    if (!secret) return t(UNREACHED);
    prefer("host", secret);
    setLink("");
    return t("The links from before are void.");
  };

  return (
    <SidePanel controller={controller} panel="host">
      <div className="host">
        <button
          type="button"
          role="switch"
          className="host-switch"
          aria-checked={locked}
          aria-busy={isBusy}
          onClick={() => void run(setLock)}
        >
          {t("Lock the board")}
          <span className="host-track" aria-hidden />
        </button>
        <p className="host-note">
          {locked
            ? t("Everybody looks. You and those with the drawing link draw.")
            : t("Everybody draws.")}
        </p>
        <button type="button" className="panel-button" onClick={() => void run(copyDrawingLink)}>
          {t("Copy drawing link")}
        </button>
        <p className="host-note">{t("Whoever opens it draws on a locked board, too.")}</p>
        {link !== "" && (
          <input
            className="host-link"
            dir="ltr"
            aria-label={t("Drawing link")}
            readOnly
            value={link}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        )}
        <PausedVisitors host={host} run={run} />
        <NewLinks onMake={() => void run(renew)} />
        <p className="host-note" role="status">
          {message}
        </p>
      </div>
    </SidePanel>
  );
}

/** Focuses what has taken the place of the pressed button. */
const focus = (element: HTMLElement | null): void => element?.focus();

/** The button that makes new links. A press asks first, since the present links of others become void. */
function NewLinks({ onMake }: { readonly onMake: () => void }) {
  const [step, setStep] = useState<"new" | "asking" | "asked">("new");
  if (step !== "asking")
    return (
      <button
        ref={step === "asked" ? focus : null}
        type="button"
        className="panel-button"
        onClick={() => setStep("asking")}
      >
        {t("New links")}
      </button>
    );
  return (
    <div className="host-sure" role="group" aria-label={t("New links")}>
      {/* A key that is held must not answer. */}
      <p ref={focus} tabIndex={-1} className="host-note">
        {t("The host link and the drawing link of now end, on all other devices as well.")}
      </p>
      <button
        type="button"
        className="panel-button"
        onClick={() => {
          setStep("asked");
          onMake();
        }}
      >
        {t("Make new links")}
      </button>
      <button type="button" className="panel-button" onClick={() => setStep("asked")}>
        {t("Cancel")}
      </button>
    </div>
  );
}

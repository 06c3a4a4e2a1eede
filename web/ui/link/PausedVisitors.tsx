import { useEffect, useState } from "react";
import type { HostActions, PausedVisitor } from "../../sync/environment/board-link.ts";
import { Named } from "../panels/Named.tsx";
import { languageTag, t } from "../language/text.ts";

interface Props {
  readonly host: HostActions | null;
  /** Runs an action, which resolves to the message of a failure. */
  readonly run: (action: () => Promise<string>) => Promise<void>;
}

/** The visitors whose drawing is paused, each with a button that ends it; nothing while there are none. */
export function PausedVisitors({ host, run }: Props) {
  const [paused, setPaused] = useState<readonly PausedVisitor[]>([]);
  useEffect(() => {
    let isOpen = true;
    void host?.pauses().then((pauses) => {
      if (isOpen && pauses) setPaused(pauses);
    });
    return () => {
      isOpen = false;
    };
  }, [host]);
  const end = async (page: string): Promise<string> => {
    const pauses = await host?.pauses({ end: page });
    if (!pauses) return t("The server did not answer. Try again.");
    setPaused(pauses);
    return "";
  };
  if (paused.length === 0) return null;
  return (
    <ul className="host-paused" aria-label={t("Paused visitors")}>
      {paused.map(({ page, name, until }) => (
        <li key={page}>
          <span>
            <Named name={name}>
              {(shown) => t("{name}, until {time}", { name: shown, time: timeOf(until) })}
            </Named>
          </span>
          <button
            type="button"
            className="panel-button"
            aria-label={t("End pause: {name}", { name })}
            onClick={() => void run(() => end(page))}
          >
            {t("End pause")}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Returns the local time of day of a time in milliseconds. */
function timeOf(until: number): string {
  return new Date(until).toLocaleTimeString(languageTag(), { hour: "2-digit", minute: "2-digit" });
}

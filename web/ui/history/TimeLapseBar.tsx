import { Pause, Play } from "lucide-react";
import { useEffect } from "react";
import type { HistoryEntry } from "../../sync/environment/backend.ts";
import type { TimeLapse } from "./time-lapse.ts";
import "./time-lapse.css";
import { useSignal } from "../kit/useSignal.ts";
import { objectsLabel, versionTime } from "../kit/version-labels.ts";
import { t } from "../language/text.ts";

interface Props {
  readonly lapse: TimeLapse;
  /** The versions, the newest first; at least one. */
  readonly versions: readonly HistoryEntry[];
  /** The time when they were listed, in milliseconds. */
  readonly now: number;
}

/** The controls that play the versions, the oldest first, and show any of them by a slider. */
export function TimeLapseBar({ lapse, versions, now }: Props) {
  const { playing, at } = useSignal(lapse.state);
  useEffect(() => lapse.open(), [lapse]);
  useEffect(() => {
    lapse.update(
      versions.map(({ id, savedAt }) => ({ id, time: versionTime(savedAt, now) })).reverse(),
    );
  }, [lapse, versions, now]);
  const shown = versions[versions.length - 1 - at];
  const Icon = playing ? Pause : Play;
  return (
    <div className="lapse">
      <button
        type="button"
        className="panel-button lapse-play"
        onClick={() => (playing ? lapse.pause() : lapse.play())}
      >
        <Icon size={16} />
        {playing ? t("Pause") : t("Play")}
      </button>
      <input
        type="range"
        className="lapse-range"
        aria-label={t("Version, from the oldest to the newest")}
        aria-valuetext={
          shown &&
          t("{first}, {second}", {
            first: versionTime(shown.savedAt, now),
            second: objectsLabel(shown.objects),
          })
        }
        min={0}
        max={versions.length - 1}
        value={at}
        onChange={({ currentTarget: { value } }) => lapse.show(Number(value))}
      />
    </div>
  );
}

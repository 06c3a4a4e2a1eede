import { Toolbar } from "radix-ui";
import { useState } from "react";
import type { Controller } from "../controller/controller.ts";
import { SidePanel } from "../panels/SidePanel.tsx";
import { coverCanvas } from "./cover-canvas.ts";
import { restoredTexts } from "./restored.ts";
import { offWhile } from "../kit/labels.ts";
import { createTimeLapse, type TimeLapse } from "./time-lapse.ts";
import { TimeLapseBar } from "./TimeLapseBar.tsx";
import { useSignal } from "../kit/useSignal.ts";
import { useVersionList, type VersionList } from "./useVersionList.ts";
import { VersionEntry } from "./VersionEntry.tsx";
import { versionTime } from "../kit/version-labels.ts";
import { picturesOf } from "./version-pictures.ts";
import { versionsOf } from "./versions.ts";
import { t, type Text } from "../language/text.ts";

/** The versions of the drawing: one is chosen, shown on the canvas, and perhaps restored. */
export function HistoryPanel({ controller }: { readonly controller: Controller }) {
  const { list, retry } = useVersionList(controller);
  const [lapse] = useState(() =>
    createTimeLapse({
      versions: versionsOf(controller.board),
      startTimer: controller.startTimer,
      cover: coverCanvas,
    }),
  );
  return (
    <SidePanel controller={controller} panel="history">
      <Versions controller={controller} list={list} retry={retry} />
      <RestoreButtons controller={controller} lapse={lapse} />
      {list.state === "listed" && list.versions.length > 0 && (
        <TimeLapseBar lapse={lapse} versions={list.versions} now={list.now} />
      )}
    </SidePanel>
  );
}

interface VersionsProps {
  readonly controller: Controller;
  readonly list: VersionList;
  /** Lists the versions again. */
  readonly retry: () => void;
}

function Versions({ controller, list, retry }: VersionsProps) {
  const versions = versionsOf(controller.board);
  const preview = useSignal(versions.preview);
  const chosen = preview.state === "loading" || preview.state === "shown" ? preview.id : null;
  if (list.state === "loading") return <p className="panel-note">{t("Loading...")}</p>;
  if (list.state === "none")
    return <p className="panel-note">{t("This server keeps no history.")}</p>;
  if (list.state === "failed")
    return (
      <div className="panel-note">
        <p role="alert">
          {t("The history could not be loaded. Check your connection, then try again.")}
        </p>
        <button type="button" className="panel-button" onClick={retry}>
          {t("Try again")}
        </button>
      </div>
    );
  if (list.versions.length === 0)
    return <p className="panel-note">{t("Nothing was replaced yet.")}</p>;
  return (
    <Toolbar.Root
      className="panel-list"
      orientation="vertical"
      loop={false}
      aria-label={t("Versions, the newest first")}
    >
      {list.versions.map((version) => (
        <VersionEntry
          key={version.id}
          version={version}
          now={list.now}
          pictures={picturesOf(versions)}
          chosen={version.id === chosen}
          onChoose={() => {
            if (version.id === chosen) versions.back();
            else
              versions.show({
                id: version.id,
                time: versionTime(version.savedAt, list.now),
              });
          }}
        />
      ))}
    </Toolbar.Root>
  );
}

interface RestoreProps {
  readonly controller: Controller;
  readonly lapse: TimeLapse;
}

/**
 * The buttons that restore the shown version. They are off on a locked board, and while the versions play, since the
 * shown one is about to be replaced.
 */
function RestoreButtons({ controller, lapse }: RestoreProps) {
  const versions = versionsOf(controller.board);
  const preview = useSignal(versions.preview);
  const { playing } = useSignal(lapse.state);
  const blocked = useSignal(controller.blocked);
  const isOff = blocked || preview.state !== "shown" || playing;
  const off = { "aria-disabled": isOff, ...offWhile(blocked) };
  const restore = (onlyMissing: boolean) => (): void => {
    if (!isOff) versions.restore(onlyMissing, (time) => restoredTexts(time, onlyMissing));
  };
  return (
    <div className="panel-foot">
      <p role="status" className="panel-hint">
        {t(
          playing
            ? PLAYING
            : preview.state === "failed"
              ? FAILURES[preview.reason]
              : HINTS[preview.state],
        )}
      </p>
      <button
        type="button"
        className="panel-button panel-button-main"
        {...off}
        onClick={restore(false)}
      >
        {t("Restore this version")}
      </button>
      <button type="button" className="panel-button" {...off} onClick={restore(true)}>
        {t("Bring back what is missing")}
      </button>
    </div>
  );
}

const PLAYING = "Pause to restore a version.";

const HINTS = {
  none: "Choose a version to see it on the board.",
  loading: "Loading...",
  shown: "Both can be undone.",
} as const satisfies Record<string, Text>;

const FAILURES = {
  gone: "This version is gone, or it cannot be read.",
  unreachable: "This version could not be loaded. Check your connection, then try again.",
} as const satisfies Record<string, Text>;

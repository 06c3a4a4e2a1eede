import { Toolbar } from "radix-ui";
import { useEffect, useRef } from "react";
import type { HistoryEntry } from "../../sync/environment/backend.ts";
import { objectsLabel, sizeLabel, versionAge, versionTime } from "../kit/version-labels.ts";
import { PICTURE_SIZE, type VersionPictures } from "./version-pictures.ts";
import { t } from "../language/text.ts";

interface Props {
  readonly version: HistoryEntry;
  /** The present time in milliseconds. */
  readonly now: number;
  readonly pictures: VersionPictures;
  /** Whether the version is shown on the canvas. */
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

/** One version in the list: its picture, its time, and its content. */
export function VersionEntry({ version, now, pictures, chosen, onChoose }: Props) {
  const { id, savedAt, objects, bytes } = version;
  const entry = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (chosen) entry.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <Toolbar.Button ref={entry} className="version" aria-pressed={chosen} onClick={onChoose}>
      <Picture id={id} pictures={pictures} />
      <span className="version-text">
        <span className="version-time">
          {t("{first}, {second}", {
            first: versionTime(savedAt, now),
            second: versionAge(savedAt, now),
          })}
        </span>{" "}
        <span className="version-size">
          {t("{first}, {second}", { first: objectsLabel(objects), second: sizeLabel(bytes) })}
        </span>
      </span>
    </Toolbar.Button>
  );
}

/** The picture of a version, which is requested when the entry becomes visible. */
function Picture({ id, pictures }: { readonly id: string; readonly pictures: VersionPictures }) {
  const frame = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let wanted = new AbortController();
    const observer = new IntersectionObserver((changes) => {
      wanted.abort();
      if (!changes.some(({ isIntersecting }) => isIntersecting)) return;
      wanted = new AbortController();
      const { signal } = wanted;
      void pictures.get(id, signal).then((picture) => {
        if (!picture || signal.aborted) return;
        observer.disconnect();
        element.replaceChildren(picture);
      });
    });
    observer.observe(element);
    return () => {
      wanted.abort();
      observer.disconnect();
    };
  }, [id, pictures]);
  return <span ref={frame} className="version-picture" style={PICTURE_SIZE} aria-hidden />;
}

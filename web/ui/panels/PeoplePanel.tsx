import { useEffect, useEffectEvent, useMemo, useState, type CSSProperties } from "react";
import { keyOf } from "../../../board/peer-key.ts";
import { cleanName, NAME_LENGTH } from "../../../board/presence.ts";
import type { Controller } from "../controller/controller.ts";
import { mutualTabs, ownRow, personRows, tabsNote, type PersonRow } from "./people-rows.ts";
import "./people.css";
import { prefer, preference } from "../kit/preferences.ts";
import { PAGE, ShowMore } from "./ShowMore.tsx";
import {
  LazyTakeBack,
  TakeBackButton,
  useTaking,
  type Taking,
  type TakenRow,
} from "./LazyTakeBack.tsx";
import { PauseVisitor } from "./PauseVisitor.tsx";
import { SidePanel } from "./SidePanel.tsx";
import { useSignal } from "../kit/useSignal.ts";
import { useSignalPart } from "../kit/useSignalPart.ts";
import { plural, t } from "../language/text.ts";
import { Named } from "./Named.tsx";

/**
 * The people online: oneself first, whose name can be changed, then the others, to whom the view can go and whom it
 * can follow.
 */
export function PeoplePanel({ controller }: { readonly controller: Controller }) {
  const { online, peers, tabs: claimed } = useSignal(controller.presence);
  const following = useSignalPart(controller.view, (view) => view.following);
  const [shown, setShown] = useState(PAGE);
  const { clientId: own } = controller;
  const { rows, ownTabs } = useMemo(() => {
    const tabs = mutualTabs(claimed);
    const siblings = tabs.get(own) ?? [];
    const strangers = new Map([...peers].filter(([clientId]) => !siblings.includes(clientId)));
    return { rows: personRows(strangers, tabs), ownTabs: 1 + peers.size - strangers.size };
  }, [own, peers, claimed]);
  const taking = useTaking<Listed>();
  const unlisted = online - 1 - peers.size;
  const followed = rows.find(
    ({ clientIds }) => following !== null && clientIds.includes(following),
  );
  if (taking.row)
    return (
      <SidePanel controller={controller} panel="people">
        <LazyTakeBack {...{ controller, taking }} {...taking.row} />
      </SidePanel>
    );
  return (
    <SidePanel controller={controller} panel="people">
      <div className="panel-list">
        <ul className="people" aria-label={t("Online, you first")}>
          <Self controller={controller} tabs={ownTabs} />
          {rows.slice(0, shown).map((row) => (
            <Peer key={row.clientId} {...{ row, controller, taking }} />
          ))}
        </ul>
        <ShowMore
          total={rows.length}
          shown={shown}
          onMore={() => setShown((count) => count + PAGE)}
        />
      </div>
      {unlisted > 0 && (
        <p className="people-note">
          {plural(
            unlisted,
            "And {count} more, who are not listed.",
            "And {count} more, who are not listed.",
          )}
        </p>
      )}
      <p role="status" className="people-note">
        {followed && (
          <Named name={followed.name}>
            {(name) => t("Following {name}. Moving the view ends it.", { name })}
          </Named>
        )}
        {!followed && rows.length === 0 && unlisted <= 0 && t("Nobody else is here right now.")}
      </p>
    </SidePanel>
  );
}

interface SelfProps {
  readonly controller: Controller;
  /** The number of pages of this browser that are online. */
  readonly tabs: number;
}

function Self({ controller, tabs }: SelfProps) {
  const [name, setName] = useState(() => cleanName(preference("name")) ?? "");
  const [typed, setTyped] = useState(name);
  const { name: label, color } = ownRow(controller.clientId);
  const takeOver = useEffectEvent(() => {
    const stored = cleanName(preference("name", true)) ?? "";
    if (stored === name) return;
    setName(stored);
    setTyped(stored);
  });
  // The visitor enters a name in another page of this browser.
  useEffect(() => {
    const listener = (): void => takeOver();
    window.addEventListener("storage", listener);
    return () => window.removeEventListener("storage", listener);
  }, []);
  const save = (): void => {
    const clean = cleanName(typed) ?? "";
    setTyped(clean);
    if (clean === name) return;
    setName(clean);
    prefer("name", clean);
    controller.rename(clean);
  };
  return (
    <li className="person">
      <Name name={name || label} color={color} note={joined(t("you"), tabsNote(tabs))} />
      <form
        className="person-form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <label>
          {t("Your name")}
          <input
            className="person-input"
            dir="auto"
            value={typed}
            placeholder={label}
            maxLength={NAME_LENGTH}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => setTyped(value)}
            onBlur={save}
          />
        </label>
        <button type="submit" className="panel-button" aria-disabled={typed.trim() === name}>
          {t("Save")}
        </button>
      </form>
    </li>
  );
}

/** A person whose work may be taken back. */
interface Listed extends TakenRow {
  readonly name: string;
}

interface PeerProps {
  readonly row: PersonRow;
  readonly taking: Taking<Listed>;
  readonly controller: Controller;
}

function Peer({ row: { clientIds, name, color }, controller, taking }: PeerProps) {
  const { located, following } = useSignal(controller.view);
  const isFollowed = following !== null && clientIds.includes(following);
  const clientId = clientIds.find((tab) => located.includes(tab));
  const isLocated = clientId !== undefined;
  const moved = isLocated ? "" : t("has not moved yet");
  const go = (follow: boolean): void => {
    if (clientId !== undefined) controller.moveView({ kind: "peer", clientId, follow });
  };
  return (
    <li className="person">
      <Name name={name} color={color} note={joined(tabsNote(clientIds.length), moved)} />
      <div className="person-actions">
        <button
          type="button"
          className="panel-button"
          aria-label={t("Go to {name}", { name })}
          aria-disabled={!isLocated}
          onClick={() => go(false)}
        >
          {t("Go to")}
        </button>
        <button
          type="button"
          className="panel-button"
          data-followed={isFollowed}
          aria-label={
            isFollowed ? t("Stop following {name}", { name }) : t("Follow {name}", { name })
          }
          aria-disabled={!isLocated && !isFollowed}
          onClick={() => (isFollowed ? controller.moveView({ kind: "stay" }) : go(true))}
        >
          {isFollowed ? t("Stop") : t("Follow")}
        </button>
        {controller.host && (
          <TakeBackButton
            row={{ key: clientIds.join(" "), name, culprits: new Set(clientIds.map(keyOf)) }}
            taking={taking}
          />
        )}
      </div>
      <PauseVisitor controller={controller} clientId={clientIds[0] ?? ""} name={name} />
    </li>
  );
}

/** Joins two notes, or returns the one that is not empty. */
function joined(first: string, second: string): string {
  return first && second ? t("{first}, {second}", { first, second }) : first || second;
}

interface NameProps {
  readonly name: string;
  readonly color: string;
  /** The note beside the name; empty for none. */
  readonly note: string;
}

function Name({ name, color, note }: NameProps) {
  return (
    <p className="person-name">
      <span className="person-dot" style={{ "--person": color } as CSSProperties} aria-hidden />
      <span className="person-text">
        <bdi className="person-words">{name}</bdi>
        {note && <span className="person-note"> ({note})</span>}
      </span>
    </p>
  );
}

import { useEffect } from "react";
import { deviceKey, preference } from "../kit/preferences.ts";
import { attempt } from "../page/attempt.ts";
import type { Controller } from "./controller.ts";

/** The channel, to which only pages of this origin have access, so that its messages can be trusted. */
const CHANNEL = deviceKey("tabs");
/** Milliseconds within which pages that open are named together. */
const COLLECT = 300;
/** The key in the tab's storage of the clientId that the tab had before a reload. */
const BEFORE = deviceKey("tab");

/** A page asks which others are there, says that it is there, or says that it leaves. */
type Message = readonly [kind: "ask" | "here" | "gone", clientId: string];

/**
 * Names the other pages of this browser that show the board, so that everybody sees them as one person, and the page
 * that this tab showed before a reload, so that whoever followed it follows this one. Takes over the name that the
 * visitor enters in one of them.
 */
export function useTabs(controller: Controller): void {
  // A board that is opened again, with its configuration, has another client.
  const { clientId } = controller;
  useEffect(() => {
    // Firefox refuses a channel where the page may store nothing.
    const channel = clientId && attempt(() => new BroadcastChannel(CHANNEL));
    if (!channel) return;
    const before = attempt(() => sessionStorage.getItem(BEFORE));
    attempt(() => sessionStorage.setItem(BEFORE, clientId));
    const tabs = new Set<string>();
    const name = (): void => controller.setTabs([...[...tabs].sort(), ...(before ? [before] : [])]);
    let cancel: (() => void) | null = null;
    const post = (kind: Message[0]): void =>
      channel.postMessage([kind, clientId] satisfies Message);
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      const [kind, tab] = data;
      if (kind === "ask") post("here");
      if (kind === "gone") tabs.delete(tab);
      else tabs.add(tab);
      cancel ??= controller.startTimer(() => {
        cancel = null;
        name();
      }, COLLECT);
    });
    const leave = (): void => post("gone");
    const ask = (): void => post("ask");
    const rename = (): void => controller.rename(preference("name", true));
    window.addEventListener("pagehide", leave);
    // A page that the browser kept is shown again.
    window.addEventListener("pageshow", ask);
    window.addEventListener("storage", rename);
    name();
    ask();
    return () => {
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("pageshow", ask);
      window.removeEventListener("storage", rename);
      leave();
      cancel?.();
      channel.close();
    };
  }, [controller, clientId]);
}

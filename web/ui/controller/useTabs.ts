import { useEffect } from "react";
import type { Controller } from "./controller.ts";

/** Pages of this origin alone are on it: what comes over it is true. */
const CHANNEL = "inkpool:tabs";
/** Milliseconds in which pages that open at once are named together. */
const COLLECT = 300;

/** A page asks who is there, says that it is there, or that it leaves. */
type Message = readonly [kind: "ask" | "here" | "gone", clientId: string];

/** Tells the board which other pages of this browser show it, so that they are one person to everybody. */
export function useTabs(controller: Controller): void {
  useEffect(() => {
    const { clientId } = controller;
    if (typeof BroadcastChannel !== "function" || clientId === "") return;
    const channel = new BroadcastChannel(CHANNEL);
    const tabs = new Set<string>();
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
        controller.setTabs([...tabs].sort());
      }, COLLECT);
    });
    const leave = (): void => post("gone");
    const ask = (): void => post("ask");
    window.addEventListener("pagehide", leave);
    // A page that the browser kept is shown again.
    window.addEventListener("pageshow", ask);
    ask();
    return () => {
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("pageshow", ask);
      leave();
      cancel?.();
      channel.close();
    };
  }, [controller]);
}

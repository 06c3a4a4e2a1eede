import { useEffect, useRef } from "react";
import { toast } from "sonner";
import { nameOf } from "../../../board/peer-label.ts";
import type { Controller } from "../controller/controller.ts";
import { useSignal } from "../kit/useSignal.ts";
import { useSignalPart } from "../kit/useSignalPart.ts";
import { t } from "../language/text.ts";
import { returnedAs } from "./following.ts";
import { isolated } from "./loss-notice.ts";

/** Milliseconds in which a followed person whose page has left may return: a reload on a slow network takes as long. */
const RETURN = 10_000;

/** Follows a person who returns shortly after leaving, also with another page; a notice says that nobody did. */
export function useFollowing(controller: Controller): void {
  const presence = useSignal(controller.presence);
  const following = useSignalPart(controller.view, (view) => view.following);
  const { online, peers } = presence;
  // In a crowd not everybody is listed.
  const isGone = following !== null && !peers.has(following) && online <= peers.size + 1;
  /** The presence with which the followed peer was last online. */
  const before = useRef(presence);
  useEffect(() => {
    if (!isGone) {
      before.current = presence;
      return;
    }
    const clientId = returnedAs(following, before.current, presence);
    if (clientId !== undefined) controller.moveView({ kind: "peer", clientId, follow: true });
  }, [controller, presence, following, isGone]);
  useEffect(() => {
    if (!isGone) return;
    return controller.startTimer(() => {
      controller.moveView({ kind: "stay" });
      const name = nameOf({ clientId: following, name: before.current.peers.get(following) });
      toast(t("{name} left. You follow nobody now.", { name: isolated(name) }), {
        closeButton: true,
      });
    }, RETURN);
  }, [controller, following, isGone]);
}

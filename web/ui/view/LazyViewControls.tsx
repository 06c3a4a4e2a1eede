import { useState } from "react";
import type { Controller } from "../controller/controller.ts";
import { preference } from "../kit/preferences.ts";
import { useLazy } from "../kit/useLazy.ts";
import { useSignal } from "../kit/useSignal.ts";

const loadControls = () => import("./ViewControls.tsx");

/** The view's controls. Their code is fetched when the board is ready, before which there is nothing to show. */
export function LazyViewControls({ controller }: { readonly controller: Controller }) {
  const progress = useSignal(controller.progress);
  // The hints of the tools note that this device was here as soon as they exist.
  const [isFirst] = useState(() => preference("hints") === "");
  const code = useLazy(loadControls, progress === "ready", { what: "the view's controls" });
  return code && <code.ViewControls controller={controller} isFirst={isFirst} />;
}

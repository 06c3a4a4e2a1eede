/** The page's first script: it paints the page. */

import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./ui/styles.ts";
import { App } from "./ui/App.tsx";
import { EMBEDDING } from "./ui/page/embed.ts";
import { applyAppearance } from "./ui/kit/preferences.ts";
import { followBoardLinks } from "./ui/link/board-link.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no element #root");

followBoardLinks();
applyAppearance();
if (EMBEDDING.isEmbedded) document.documentElement.dataset["embed"] = "";
// As a transition React renders in slices, between which a weak device answers presses.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

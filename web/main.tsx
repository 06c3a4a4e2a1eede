/** The page's first script: it paints the page. */

import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./ui/styles.ts";
import { App } from "./ui/App.tsx";
import { EMBEDDING } from "./ui/page/embed.ts";
import { applyAppearance, chosenLanguage } from "./ui/kit/preferences.ts";
import { followBoardLinks } from "./ui/link/board-link.ts";

// index.html has it: without it, React's own error says so.
const root = document.getElementById("root") as HTMLElement;

followBoardLinks();
applyAppearance();
if (EMBEDDING.isEmbedded) document.documentElement.dataset["embed"] = "";
// React renders a transition in slices, between which a weak device responds to presses.
const show = (): void =>
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
const language = chosenLanguage();
if (/^(?:en\b|$)/i.test(language)) show();
else
  void import("./ui/language/languages.ts")
    .then(({ speak }) => speak(language))
    .then(show, async () => {
      show();
      const { showLoadFailure } = await import("./ui/kit/load-failure.ts");
      showLoadFailure();
    });

import { Tooltip } from "radix-ui";
import { ErrorBoundary } from "./page/ErrorBoundary.tsx";
import { isHome } from "./page/base-path.ts";
import { NotFound } from "./page/NotFound.tsx";
import { Notices } from "./notices/Notices.tsx";
import { usePath } from "./page/usePath.ts";
import { Whiteboard } from "./Whiteboard.tsx";

/** The whole page: the whiteboard at `/`, and the 404 page everywhere else. */
export function App() {
  return (
    <ErrorBoundary>
      <Tooltip.Provider delayDuration={450} disableHoverableContent>
        {isHome(usePath()) ? <Whiteboard /> : <NotFound />}
      </Tooltip.Provider>
      <Notices />
    </ErrorBoundary>
  );
}

import { Direction, Tooltip } from "radix-ui";
import { ErrorBoundary } from "./page/ErrorBoundary.tsx";
import { isHome } from "./page/base-path.ts";
import { NotFound } from "./page/NotFound.tsx";
import { isRightToLeft } from "./page/reading.ts";
import { usePath } from "./page/usePath.ts";
import { Whiteboard } from "./Whiteboard.tsx";

/** The whole page: the whiteboard at `/`, and the 404 page everywhere else. */
export function App() {
  return (
    <ErrorBoundary>
      <Direction.Provider dir={isRightToLeft() ? "rtl" : "ltr"}>
        <Tooltip.Provider delayDuration={450} disableHoverableContent>
          {isHome(usePath()) ? <Whiteboard /> : <NotFound />}
        </Tooltip.Provider>
      </Direction.Provider>
    </ErrorBoundary>
  );
}

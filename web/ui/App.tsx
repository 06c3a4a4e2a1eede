import { Tooltip } from "radix-ui";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { NotFound } from "./NotFound.tsx";
import { Notices } from "./Notices.tsx";
import { usePath } from "./usePath.ts";
import { Whiteboard } from "./Whiteboard.tsx";

/** The whole page: the whiteboard at `/`, and the 404 page everywhere else. */
export function App() {
  return (
    <ErrorBoundary>
      <Tooltip.Provider delayDuration={450} disableHoverableContent>
        {usePath() === "/" ? <Whiteboard /> : <NotFound />}
      </Tooltip.Provider>
      <Notices />
    </ErrorBoundary>
  );
}

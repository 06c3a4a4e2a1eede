import { lazy, Suspense } from "react";
import { Tooltip } from "radix-ui";
import { Toaster } from "sonner";
import { Route, Switch } from "wouter";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { Whiteboard } from "./Whiteboard.tsx";

const NotFound = lazy(() => import("./NotFound.tsx"));

/** The whole page: the whiteboard at `/`, and the 404 page everywhere else. */
export function App() {
  return (
    <ErrorBoundary>
      <Tooltip.Provider delayDuration={450} disableHoverableContent>
        <Switch>
          <Route path="/">
            <Whiteboard />
          </Route>
          <Route>
            <Suspense>
              <NotFound />
            </Suspense>
          </Route>
        </Switch>
      </Tooltip.Provider>
      <Toaster
        position="top-center"
        offset={{ top: 92 }}
        mobileOffset={{ top: 88, left: 12, right: 12 }}
      />
    </ErrorBoundary>
  );
}

import { Component, type ErrorInfo, type ReactNode } from "react";
import { Screen } from "./Screen.tsx";
import { t } from "../language/text.ts";

interface Props {
  readonly children: ReactNode;
}

/** Shows an error and a way out when the page itself fails, instead of a blank window. */
export class ErrorBoundary extends Component<Props, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error("the page broke:", error, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <Screen
        title={t("Something broke")}
        text={t(
          "This page ran into an error of its own. What you drew is kept on this device, and is there again after a reload.",
        )}
      >
        <button type="button" className="screen-action" onClick={() => location.reload()}>
          {t("Reload the page")}
        </button>
      </Screen>
    );
  }
}

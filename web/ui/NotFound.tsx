import { useEffect } from "react";
import { Link, useLocation } from "wouter";
import { TEXTS } from "../../board/spec.ts";
import { Screen } from "./Screen.tsx";

/** Says that there is nothing at this path, logs the path, and leads home. */
export default function NotFound() {
  const [path] = useLocation();
  useEffect(() => {
    console.error("404: unknown route:", path);
  }, [path]);
  return (
    <Screen title={TEXTS.notFoundTitle} text={TEXTS.notFound}>
      <Link href="/" className="screen-action">
        {TEXTS.returnHome}
      </Link>
    </Screen>
  );
}

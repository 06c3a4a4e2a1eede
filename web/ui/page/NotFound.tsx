import { useEffect } from "react";
import { TEXTS } from "../../../board/constants.ts";
import { BASE_PATH } from "./base-path.ts";
import { Screen } from "./Screen.tsx";
import { usePath } from "./usePath.ts";
import { translate } from "../language/text.ts";

/** The page for a path that does not exist: it logs the path and links home. */
export function NotFound() {
  const path = usePath();
  useEffect(() => {
    console.error("404: unknown route:", path);
  }, [path]);
  return (
    <Screen title={translate(TEXTS.notFoundTitle)} text={translate(TEXTS.notFound)}>
      <a href={BASE_PATH} className="screen-action">
        {translate(TEXTS.returnHome)}
      </a>
    </Screen>
  );
}

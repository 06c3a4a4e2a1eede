/** The browser's dialog for files. */

import type { Controller } from "../controller/controller.ts";
import { showLoadFailure } from "../kit/load-failure.ts";

type InsertCode = typeof import("./insert.ts");

/**
 * The input that asks for files. It is not removed: a browser may collect one that nothing refers to while the
 * visitor chooses.
 */
let input: HTMLInputElement | undefined;

/** Returns a function that asks for a file and adds it. `accept`: the types that the browser offers. */
export function chooseFile(
  accept: string,
  add: (code: InsertCode, controller: Controller, file: File) => Promise<unknown>,
): (controller: Controller) => void {
  return (controller) => {
    input ??= document.createElement("input");
    input.type = "file";
    input.accept = accept;
    // The same file can be chosen again.
    input.value = "";
    input.onchange = () => {
      const [file] = input?.files ?? [];
      if (file)
        import("./insert.ts").then((code) => add(code, controller, file)).catch(showLoadFailure);
    };
    input.click();
  };
}

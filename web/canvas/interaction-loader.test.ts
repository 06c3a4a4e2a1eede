import { expect, test } from "vitest";
import { InteractionLoader } from "./interaction-loader.ts";
import type { InteractionDependencies } from "./interaction.ts";

test("UI-21 a canvas that ended before its code arrived listens to no keys any more", async () => {
  const host = new EventTarget();
  let fetches = 0;
  const prepare = async (): Promise<void> => void (fetches += 1);
  const given = { viewport: { layers: { host } }, board: { content: { prepare } } };
  const loader = new InteractionLoader(given as unknown as InteractionDependencies);
  await loader.dispose();
  host.dispatchEvent(new Event("keydown"));
  host.dispatchEvent(new Event("keyup"));
  expect(fetches).toBe(0);
});

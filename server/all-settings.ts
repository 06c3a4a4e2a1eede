/** Reads every setting of the environment before anything is opened: the server's own, those of the APIs, the keys. */

import { readAuthSettings, type GivenAuthSettings } from "./auth/read-settings.ts";
import { readKeyMaterial, type KeyMaterial } from "./keys/material.ts";
import { parseRealtimeSettings, type RealtimeSettings } from "./realtime/settings/settings.ts";
import type { Variables } from "./settings/read.ts";
import { parseSettings, type Settings } from "./settings/settings.ts";

/** The settings of the APIs that have names of their own. */
export interface ApiSettings {
  readonly realtime: RealtimeSettings;
  readonly auth: GivenAuthSettings;
}

export interface AllSettings extends ApiSettings {
  readonly settings: Settings;
  /** The operator's keys; null without any. */
  readonly material: KeyMaterial | null;
}

/** Reads all settings, those of an API that is not served included. Each problem is one line. */
export async function readAllSettings(
  env: Variables,
  workingDir: string,
): Promise<
  | { readonly ok: true; readonly all: AllSettings }
  | { readonly ok: false; readonly problems: readonly string[] }
> {
  const own = parseSettings(env, workingDir);
  const realtime = parseRealtimeSettings(env);
  const auth = await readAuthSettings(env);
  const keys = await readKeyMaterial(env);
  if (own.ok && realtime.ok && auth.ok && keys.ok)
    return {
      ok: true,
      all: {
        settings: own.settings,
        realtime: realtime.settings,
        auth,
        material: keys.material,
      },
    };
  const problems = [own, realtime, auth].flatMap((parsed) => (parsed.ok ? [] : parsed.problems));
  return { ok: false, problems: keys.ok ? problems : [...problems, keys.problem] };
}

/** Reads the settings of the auth API, and the files that they name. */

import type { Variables } from "../settings/read.ts";
import { readTemplateFiles, type TemplateFiles } from "./mail/templates.ts";
import { parseAuthSettings, type AuthSettings } from "./settings/settings.ts";

export interface GivenAuthSettings {
  readonly settings: AuthSettings;
  /** One line for each setting that was given and has no effect. */
  readonly warnings: readonly string[];
  readonly templates: TemplateFiles;
}

/** Reads the settings. Each problem is one line. */
export async function readAuthSettings(
  env: Variables,
): Promise<
  | ({ readonly ok: true } & GivenAuthSettings)
  | { readonly ok: false; readonly problems: readonly string[] }
> {
  const parsed = parseAuthSettings(env);
  if (!parsed.ok) return parsed;
  const { templates, problems } = await readTemplateFiles(parsed.settings);
  return problems.length === 0 ? { ...parsed, templates } : { ok: false, problems };
}

/** Calls whose code arrives with the first of them: those of panels, of a host's page, and of a visitor with a session. */

import type { Environment } from "./environment/environment.ts";
import type { SyncClient, TakeBack, Versions } from "./port.ts";
import type { OpenSession } from "./supabase/clients.ts";
import type { VersionsDependencies } from "./history.ts";
import type { TakeBackDependencies } from "./take-back.ts";

/** Loads the code of the versions and of the authors. */
export const loadHistory = () => import("./history.ts");

/** Fetches the library of sessions, which few visitors have. */
export const openSession: OpenSession = async (options) =>
  (await import("./supabase/session.ts")).openSession(options);

/** Fetches the code of the versions with the first call. */
export function lazyVersions(given: VersionsDependencies, env: Environment): Versions {
  const versions = async () => (await loadHistory()).createVersions(given, env);
  return {
    list: async () => (await versions()).list(),
    load: async (id) => (await versions()).load(id),
    restore: async (drawing, onlyMissing) => (await versions()).restore(drawing, onlyMissing),
  };
}

/**
 * Fetches the code of taking back with the first call, and again where that failed. Returns null for all but hosts.
 * A host's page calls it when it opens: it watches from then on who does what.
 */
export function lazyTakeBack(
  given: TakeBackDependencies,
  env: Environment,
): SyncClient["takeBack"] {
  let made: Promise<TakeBack> | null = null;
  const make = (): Promise<TakeBack> =>
    (made ??= import("./take-back.ts").then(
      (code) => code.createTakeBack(given, env),
      (reason: unknown) => {
        made = null;
        throw reason;
      },
    ));
  return given.backend.host && make;
}

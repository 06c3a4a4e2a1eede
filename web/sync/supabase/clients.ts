/**
 * The clients of one backend, from the packages that @supabase/supabase-js is made of: table API and realtime
 * channel at once, the auth API's where there is a session (docs/decisions/client-library-in-parts.md).
 */

import { PostgrestClient } from "@supabase/postgrest-js";
import { RealtimeClient, type RealtimeClientOptions } from "@supabase/realtime-js";
import type { BackendConfig } from "../environment/backend.ts";
import type { HostActions } from "../environment/board-link.ts";
import { createSignal, type Signal } from "../environment/signal.ts";
import { createLinkTokens } from "./link-tokens.ts";
import type { Session } from "./session.ts";

/** A client of the table API. */
export type TableClient = PostgrestClient;

export interface Clients {
  readonly table: TableClient;
  /** The same for a page that unloads: its requests wait for nothing, and have the public key. */
  readonly unloading: TableClient;
  readonly realtime: RealtimeClient;
  /** As in the backend's port. */
  readonly mayDraw: Signal<boolean>;
  readonly host: HostActions | null;
  /** The channel was closed: its token may be void. */
  readonly renewToken: () => void;
  readonly close: () => Promise<void>;
}

export interface ClientOptions {
  readonly fetch: typeof fetch;
  readonly unloadFetch: typeof fetch;
  readonly realtime: RealtimeClientOptions;
}

/** Opens no connection. */
export function createClients(config: BackendConfig, options: ClientOptions): Clients {
  const { supabaseUrl, supabaseAnonKey: key, link } = config;
  const base = supabaseUrl.endsWith("/") ? supabaseUrl : `${supabaseUrl}/`;
  const address = (path: string): string => new URL(path, base).href;
  const headers = { apikey: key, Authorization: `Bearer ${key}` };
  const storageKey = `sb-${new URL(base).hostname.split(".")[0]}-auth-token`;
  let session: Promise<Session> | undefined;

  const takeUpSession = async (): Promise<Session> => {
    const { openSession } = await import("./session.ts");
    const onToken = (token = key): void => void realtime.setAuth(token);
    return openSession({ url: address("auth/v1"), headers, storageKey, onToken });
  };
  /** The access token of the session that the browser keeps or the address brings, else the public key. */
  const accessToken = async (): Promise<string> => {
    const linked = await tokens?.token();
    if (linked) return linked;
    if (!session && !hasSession(storageKey)) return key;
    // Where its code does not arrive, the next request asks for it again.
    session ??= takeUpSession().catch((reason: unknown) => {
      session = undefined;
      throw reason;
    });
    return (await (await session).token()) ?? key;
  };
  const realtime = new RealtimeClient(address("realtime/v1").replace(/^http/, "ws"), {
    ...options.realtime,
    params: { apikey: key },
    accessToken,
  });
  const table: TableClient = new PostgrestClient(address("rest/v1"), {
    fetch: async (input, init) => {
      const all = new Headers(init?.headers);
      all.set("apikey", key);
      all.set("Authorization", `Bearer ${await accessToken()}`);
      const response = await options.fetch(input, { ...init, headers: all });
      if (response.status === 401) tokens?.forget();
      return response;
    },
  });
  const mayDraw = createSignal(link !== undefined);
  const tokens = link
    ? createLinkTokens({
        link,
        address: (path) => address(`host/v1/${path}`),
        fetch: options.fetch,
        table,
        onVoid: () => {
          mayDraw.set(false);
          void realtime.setAuth();
        },
      })
    : null;
  return {
    table,
    mayDraw,
    host: link?.kind === "host" ? tokens : null,
    renewToken: () => {
      if (!tokens) return;
      tokens.forget();
      void realtime.setAuth();
    },
    unloading: new PostgrestClient(address("rest/v1"), { headers, fetch: options.unloadFetch }),
    realtime,
    async close() {
      await Promise.allSettled([
        realtime.removeAllChannels(),
        session?.then(({ dispose }) => dispose()),
      ]);
      await Promise.allSettled([realtime.disconnect()]);
    },
  };
}

/** True when the browser keeps a session, or the page's address brings one from a sign-in elsewhere. */
function hasSession(storageKey: string): boolean {
  try {
    if (/[#?&](?:access_token|error_description|code)=/.test(location.href)) return true;
    return localStorage.getItem(storageKey) !== null;
  } catch {
    // A frame whose storage the browser refuses has no session, nor has Node.js.
    return false;
  }
}

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
import type { Session, SessionOptions } from "./session.ts";

/** A client of the table API. */
export type TableClient = PostgrestClient;

export interface Clients {
  readonly table: TableClient;
  /** Makes the same for a page that unloads: its requests wait for nothing, and have the public key. */
  readonly unloading: () => TableClient;
  /** The parameters of each handshake: the public key, which changes when the server has another one. */
  readonly params: { readonly apikey: string };
  readonly realtime: RealtimeClient;
  /** As in the backend's port. */
  readonly mayDraw: Signal<boolean>;
  readonly host: HostActions | null;
  /**
   * Takes over the key of the present configuration. Nothing waits for it: the next call and the next handshake have
   * it.
   */
  readonly renewKey: () => void;
  /** The channel was closed: its token may be void. */
  readonly renewToken: () => void;
  readonly close: () => Promise<void>;
}

/** Takes up a visitor's session. Rejects where its code does not arrive; a later call may succeed. */
export type OpenSession = (options: SessionOptions) => Promise<Session>;

export interface ClientOptions {
  readonly fetch: typeof fetch;
  readonly unloadFetch: typeof fetch;
  readonly realtime: RealtimeClientOptions;
  readonly openSession: OpenSession | undefined;
}

/** Opens no connection. */
export function createClients(config: BackendConfig, options: ClientOptions): Clients {
  const { supabaseUrl, link } = config;
  const params = { apikey: config.supabaseAnonKey };
  const base = supabaseUrl.replace(/\/?$/, "/");
  const address = (path: string): string => new URL(path, base).href;
  const headers = (token = params.apikey) => ({ ...params, Authorization: `Bearer ${token}` });
  const storageKey = `sb-${new URL(base).hostname.split(".")[0]}-auth-token`;
  let session: Promise<Session> | undefined;

  const renewKey = (): void =>
    void config.current?.().then(
      ({ supabaseAnonKey }) => (params.apikey = supabaseAnonKey),
      () => undefined,
    );
  const onToken = (token = params.apikey): void => void realtime.setAuth(token);
  /** The access token of the session that the browser keeps or the address brings, else the public key. */
  const accessToken = async (): Promise<string> => {
    const linked = await tokens?.token();
    if (linked) return linked;
    if (!session && hasSession(storageKey)) {
      session = options.openSession?.({ url: address("auth/v1"), headers, storageKey, onToken });
      // Where its code does not arrive, the next request asks for it again.
      session?.catch(() => (session = undefined));
    }
    return (await (await session)?.token()) ?? params.apikey;
  };
  const realtime = new RealtimeClient(address("realtime/v1").replace(/^http/, "ws"), {
    ...options.realtime,
    params,
    accessToken,
  });
  const table: TableClient = new PostgrestClient(address("rest/v1"), {
    fetch: async (input, init) => {
      const all = new Headers(init?.headers);
      const token = await accessToken();
      for (const [name, value] of Object.entries(headers(token))) all.set(name, value);
      const response = await options.fetch(input, { ...init, headers: all });
      if (response.status === 401) {
        renewKey();
        tokens?.forget();
        (await session)?.forget();
      }
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
    renewKey,
    renewToken: () => {
      tokens?.forget();
      if (tokens) void realtime.setAuth();
    },
    params,
    unloading: () =>
      new PostgrestClient(address("rest/v1"), { headers: headers(), fetch: options.unloadFetch }),
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

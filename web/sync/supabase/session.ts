/** The session of the auth API, in a chunk of its own: few visitors have one. */

import { AuthClient, isAuthRetryableFetchError } from "@supabase/auth-js";

/** Milliseconds. The page's requests wait for a renewal, which the library would give up only with its connection. */
const CALL_LIMIT = 20_000;

export interface Session {
  /**
   * Returns the access token; undefined without a session. Rejects while the session cannot be renewed: with the
   * public key a request could find nothing where this visitor finds the board.
   */
  readonly token: () => Promise<string | undefined>;
  /** The backend refused the token: another is asked for. */
  readonly forget: () => void;
  readonly dispose: () => void;
}

export interface SessionOptions {
  readonly url: string;
  /** Returns the headers with the present public key. */
  readonly headers: () => { readonly apikey: string };
  /** The name under which the browser keeps the session. */
  readonly storageKey: string;
  readonly onToken: (token: string | undefined) => void;
}

/** Takes up the session that the browser keeps, or that the page's address brings, and renews it. */
export function openSession({ url, headers, storageKey, onToken }: SessionOptions): Session {
  const client = new AuthClient({
    ...{ url, headers: { ...headers() }, storageKey },
    detectSessionInUrl: true,
    fetch: (input, init) => {
      const all = new Headers(init?.headers);
      all.set("apikey", headers().apikey);
      return fetch(input, { ...init, headers: all, signal: AbortSignal.timeout(CALL_LIMIT) });
    },
  });
  client.onAuthStateChange((_event, session) => onToken(session?.access_token));
  return {
    async token() {
      const { data, error } = await client.getSession();
      if (isAuthRetryableFetchError(error)) throw error;
      return data.session?.access_token;
    },
    forget: () => void client.refreshSession(),
    dispose: () => client.dispose(),
  };
}

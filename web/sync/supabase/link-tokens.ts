/** The tokens that a link of the host is exchanged for. */

import type { PostgrestClient } from "@supabase/postgrest-js";
import { SETTINGS_TABLE } from "../../../board/constants.ts";
import type {
  BoardLink,
  HostActions,
  PauseChange,
  PausedVisitor,
} from "../environment/board-link.ts";

/** A token is replaced when this part of its time has passed. */
const FRESH = 0.8;
/** Milliseconds between two tries to exchange a secret. */
const RETRY = 5_000;
const CALL_LIMIT = 20_000;

export interface LinkTokens extends HostActions {
  /** Null while the backend cannot be reached, and for a link that is void. */
  readonly token: () => Promise<string | null>;
  /** The token may be void: the next call exchanges the secret again. */
  readonly forget: () => void;
}

interface TokenOptions {
  readonly link: BoardLink;
  /** The address of `/host/v1/` for a path below it. */
  readonly address: (path: string) => string;
  readonly fetch: typeof fetch;
  readonly table: PostgrestClient;
  /** The backend does not know the secret any more. */
  readonly onVoid: () => void;
}

interface Exchanged {
  readonly access_token: string;
  readonly expires_in: number;
  readonly draw?: string;
  readonly host?: string;
}

interface Paused {
  readonly pauses: readonly PausedVisitor[];
}

/** Returns milliseconds that go on while the machine sleeps, and where its clock is set back. */
const now = (): number => Math.max(performance.now(), Date.now() - performance.timeOrigin);

export function createLinkTokens(options: TokenOptions): LinkTokens {
  const { address, table, onVoid } = options;
  let { link } = options;
  let known: Exchanged | null = null;
  /** When the token is to be replaced, or a failed exchange tried again. */
  let until = 0;
  let isVoid = false;
  /** An exchange, or a renewal of the links, for whose end everybody who needs a token waits. */
  let running: Promise<unknown> | null = null;

  const post = (path: string, body: object, token?: string | null): Promise<Response> =>
    options.fetch(address(path), postOf(body, token));
  const take = (answer: Exchanged): void => {
    known = answer;
    until = now() + answer.expires_in * 1000 * FRESH;
  };
  const exchange = async (): Promise<void> => {
    until = now() + RETRY;
    try {
      const response = await post("token", { secret: link.secret });
      if (response.ok) {
        const answer = (await response.json()) as Exchanged;
        // A drawing link's secret in a host link makes no host.
        if (answer.draw || link.kind === "draw") link.keep?.();
        return take(answer);
      }
      if (response.status !== 401) return;
      isVoid = true;
      known = null;
      onVoid();
    } catch {
      // Without a network the page goes on with what it has.
    }
  };
  const token = async (): Promise<string | null> => {
    if (!isVoid && (running || now() >= until))
      await (running ??= exchange().finally(() => (running = null)));
    return known?.access_token ?? null;
  };
  /** Returns the answer to a request with a token; null when the backend refuses it or cannot be reached. */
  const ask = async <T>(path: string, body: object, bearer: string | null): Promise<T | null> => {
    try {
      const response = await post(path, body, bearer);
      return response.ok ? ((await response.json()) as T) : null;
    } catch {
      return null;
    }
  };
  return {
    token,
    forget: () => {
      // Without a network the token of before is the best there is.
      until = 0;
    },
    async setLock(locked) {
      await token();
      const { error } = await table.from(SETTINGS_TABLE).update({ locked }).eq("id", 1);
      return error === null;
    },
    async drawingSecret() {
      await token();
      return known?.draw ?? null;
    },
    async pauses(change: PauseChange | object = {}) {
      const answer = await ask<Paused>("pauses", change, await token());
      return answer?.pauses ?? null;
    },
    async renew() {
      const renewing = ask<Exchanged>("links", {}, await token());
      running = renewing;
      const answer = await renewing;
      running = null;
      if (!answer) return null;
      take(answer);
      link = { ...link, secret: answer.host ?? link.secret };
      return answer.host ?? null;
    },
  };
}

/** Makes a POST request of a JSON body. */
function postOf(body: object, token?: string | null): RequestInit {
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_LIMIT),
  };
}

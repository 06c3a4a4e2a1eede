/** The environment of the examples: a server, and stand-ins for the person, the mailbox and the devices. */

import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import ws from "ws";

export interface Environment {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceKey: string;
  readonly password: string;
  freshEmail(): string;
  freshPhone(): string;
  /** Returns the link and the code of the newest mail or text message to an address or number. */
  mail(to: string): Promise<{ readonly link: string; readonly code: string }>;
  /** Opens a link and follows its redirects to the page. Returns the page's URL. */
  visit(link: string): Promise<URL>;
  /** Returns the code that an authenticator app shows for a secret. */
  authenticatorCode(secret: string): string;
  /** A security key or phone; navigator.credentials in a browser. */
  readonly credentials: {
    create(options: unknown): unknown;
    get(options: unknown): unknown;
  };
  /** The wallets; window.ethereum and window.solana in a browser. */
  readonly ethereum: unknown;
  readonly solana: unknown;
  /** Returns a provider's id token, as its sign-in button gives it to the page. */
  idToken(): Promise<string>;
  /** An organisation's SAML identity provider: its metadata, and a sign-in there. */
  readonly identityProvider: { readonly metadata: string; signIn(url: string): Promise<URL> };
}

/** Makes a page's client, or with the service key an administrator's. Node.js before version 22 needs `ws`. */
export function clientOf(
  env: Environment,
  more: { key?: string; pkce?: true } = {},
): SupabaseClient {
  return createClient(env.url, more.key ?? env.anonKey, {
    auth: {
      flowType: more.pkce === true ? "pkce" : "implicit",
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storageKey: crypto.randomUUID(),
      experimental: { passkey: true },
    },
    realtime: { transport: ws as never },
  });
}

/** Ends the example at an error. */
export function expectNone(error: unknown): asserts error is null {
  if (error !== null) throw error;
}

/** Ends the example when a statement about it is not true. */
export function check(fact: boolean, what: string): asserts fact {
  if (!fact) throw new Error(`not true: ${what}`);
}

/** Makes a user with a confirmed address and a password, signed in. */
export async function signedInUser(
  env: Environment,
  more: { pkce?: true } = {},
): Promise<{ client: SupabaseClient; email: string }> {
  const email = env.freshEmail();
  const admin = clientOf(env, { key: env.serviceKey });
  const made = await admin.auth.admin.createUser({
    email,
    password: env.password,
    email_confirm: true,
  });
  expectNone(made.error);
  const client = clientOf(env, more);
  const { error } = await client.auth.signInWithPassword({ email, password: env.password });
  expectNone(error);
  return { client, email };
}

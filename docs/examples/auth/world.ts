/** What the examples stand on: a server, and the people and devices that a page would talk to. */

import { createClient } from "@supabase/supabase-js";
import type { SupabaseClient } from "@supabase/supabase-js";
import ws from "ws";

export interface World {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceKey: string;
  readonly password: string;
  freshEmail(): string;
  freshPhone(): string;
  /** What the person finds in the newest mail or text message to an address or number. */
  mail(to: string): Promise<{ readonly link: string; readonly code: string }>;
  /** The person opens a link; this is where the browser ends up, at the page's own address. */
  visit(link: string): Promise<URL>;
  /** The code that the person's authenticator app shows for a secret. */
  authenticatorCode(secret: string): string;
  /** The person's security key or phone; in a browser: navigator.credentials. */
  readonly credentials: {
    create(options: unknown): unknown;
    get(options: unknown): unknown;
  };
  /** In a browser: window.ethereum and window.solana. */
  readonly ethereum: unknown;
  readonly solana: unknown;
  /** A provider's id token, which the page got from the provider's own sign-in button. */
  idToken(): Promise<string>;
  /** The organisation's identity provider: its metadata, and what happens there. */
  readonly identityProvider: { readonly metadata: string; signIn(url: string): Promise<URL> };
}

/** A page's client; with the service key: an administrator's. Node.js before version 22 needs `ws`. */
export function clientOf(world: World, more: { key?: string; pkce?: true } = {}): SupabaseClient {
  return createClient(world.url, more.key ?? world.anonKey, {
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

/** The examples stop at the first thing that does not go as they say. */
export function expectNone(error: unknown): asserts error is null {
  if (error !== null) throw error;
}

export function check(fact: boolean, what: string): asserts fact {
  if (!fact) throw new Error(`this should be: ${what}`);
}

/** Somebody with a confirmed address and a password, signed in. */
export async function somebody(
  world: World,
  more: { pkce?: true } = {},
): Promise<{ client: SupabaseClient; email: string }> {
  const email = world.freshEmail();
  const admin = clientOf(world, { key: world.serviceKey });
  const made = await admin.auth.admin.createUser({
    email,
    password: world.password,
    email_confirm: true,
  });
  expectNone(made.error);
  const client = clientOf(world, more);
  const { error } = await client.auth.signInWithPassword({ email, password: world.password });
  expectNone(error);
  return { client, email };
}

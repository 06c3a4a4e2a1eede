/** Users with accounts, for tests that begin signed in. */

import type { Session, SupabaseClient } from "@supabase/supabase-js";
import type { AuthServer, ClientOptions } from "./server.ts";

export const PASSWORD = "correct horse battery";

let people = 0;

/** Returns an email address that no test has used before. */
export function freshEmail(name = "ada"): string {
  people++;
  return `${name}${people}@example.org`;
}

/** Returns a phone number that no test has used before, as GoTrue stores it. */
export function freshPhone(): string {
  people++;
  return `4915550${String(people).padStart(6, "0")}`;
}

export interface Person {
  readonly client: SupabaseClient;
  readonly email: string;
  readonly id: string;
  session(): Promise<Session>;
}

/** Makes a user with a confirmed address and PASSWORD, signed in. */
export async function person(server: AuthServer, options: ClientOptions = {}): Promise<Person> {
  const email = freshEmail();
  const made = await server
    .admin()
    .auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
  if (made.error !== null) throw made.error;
  const client = server.client(options);
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error !== null) throw error;
  return { client, email, id: made.data.user.id, session: () => sessionOf(client) };
}

/**
 * Returns the session of a client.
 * @throws Error when nobody is signed in
 */
export async function sessionOf(client: SupabaseClient): Promise<Session> {
  const { data } = await client.auth.getSession();
  if (data.session === null) throw new Error("nobody is signed in");
  return data.session;
}

/** Returns the claims of a token, whose signature is not checked. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as Record<
    string,
    unknown
  >;
}

/** Opens a link that redirects; returns the target, and the values in its fragment. @throws Error without a redirect */
export async function follow(
  link: string,
): Promise<{ readonly url: URL; readonly values: URLSearchParams }> {
  const response = await fetch(link, { redirect: "manual" });
  const location = response.headers.get("location");
  if (location === null)
    throw new Error(`no redirect but ${response.status}: ${await response.text()}`);
  const url = new URL(location);
  return { url, values: new URLSearchParams(url.hash.slice(1)) };
}

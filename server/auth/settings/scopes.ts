/**
 * The scopes that an OAuth client may ask for: the facts about the person that its id token and /oauth/userinfo
 * contain. Pure.
 */

export const SCOPES = ["openid", "email", "profile", "phone", "offline_access"] as const;

export type Scope = (typeof SCOPES)[number];

/** Returns the scopes of a text with spaces between them, each once; undefined without any, or with an unknown one. */
export function parseScope(text: string): readonly Scope[] | undefined {
  const names = [...new Set(text.split(" ").filter((name) => name !== ""))];
  const known = names.flatMap((name) => SCOPES.find((scope) => scope === name) ?? []);
  return known.length === 0 || known.length < names.length ? undefined : known;
}

/** Whether each scope of a text is granted. Both are texts that `parseScope` knows. */
export function covers(granted: string, asked: string): boolean {
  const has = new Set(granted.split(" "));
  return asked.split(" ").every((scope) => has.has(scope));
}

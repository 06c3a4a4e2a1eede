/** POST and GET /verify: a link or code becomes a session. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../audit.ts";
import type { Auth } from "../context.ts";
import { guardGuess } from "../counters.ts";
import { AuthFault, oauthError } from "../errors.ts";
import { withFragment, withQuery } from "../redirects.ts";
import { ok, textField } from "../request.ts";
import type { Answer, AuthRequest } from "../request.ts";
import { startSession, writeSession } from "../sessions/grant.ts";
import type { Grant } from "../sessions/grant.ts";
import { one, text } from "../store/rows.ts";
import { lockUser, userByEmail, userByPhone } from "../store/users.ts";
import type { StoredUser } from "../store/users.ts";
import { issueCode } from "../tokens/flows.ts";
import { PKCE_PREFIX, takeCode, takeLink } from "../tokens/onetime.ts";
import type { TakenToken, TokenKind } from "../tokens/onetime.ts";
import { confirmEmail, confirmPhone, orExists, refuseBanned } from "./accounts.ts";
import { changeEmail, changePhone } from "./change.ts";
import { readEmail, readPhone } from "./contact.ts";

/** Which tokens a type takes, in this order. */
const MAIL_TYPES: Readonly<Record<string, readonly TokenKind[]>> = {
  signup: ["confirmation"],
  invite: ["confirmation"],
  magiclink: ["recovery", "confirmation"],
  recovery: ["recovery"],
  email: ["confirmation", "recovery"],
  email_change: ["email_change_current", "email_change_new"],
};

const PHONE_TYPES: Readonly<Record<string, readonly TokenKind[]>> = {
  sms: ["phone_confirmation"],
  phone_change: ["phone_change"],
};

const HALF_DONE =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/** What a token was good for; undefined when the other address has to agree as well. */
type Verified = { readonly user: StoredUser } | undefined;

function kindsOf(
  table: Readonly<Record<string, readonly TokenKind[]>>,
  type: string,
): readonly TokenKind[] {
  const kinds = Object.hasOwn(table, type) ? table[type] : undefined;
  if (kinds === undefined)
    throw new AuthFault("validation_failed", "Unsupported verification type");
  return kinds;
}

const lost = (): AuthFault => new AuthFault("otp_expired", "Token has expired or is invalid");

export async function verifyPost(auth: Auth, request: AuthRequest): Promise<Answer> {
  const { body } = request;
  const type = textField(body, "type");
  if (type === undefined)
    throw new AuthFault("validation_failed", "Verify requires a verification type");
  const hash = textField(body, "token_hash");
  if (hash !== undefined) {
    if (["token", "email", "phone"].some((name) => textField(body, name) !== undefined))
      throw new AuthFault("validation_failed", "Only the token_hash and type should be provided");
    const kinds = kindsOf(MAIL_TYPES, type);
    const done = await redeem(auth, request, (tx) => takeLink(auth, tx, hash, kinds));
    return answer(auth, done);
  }
  const token = textField(body, "token");
  if (token === undefined)
    throw new AuthFault("validation_failed", "Verify requires a token or a token hash");
  const taken = await takeByCode(auth, request, type, token.replaceAll("-", ""));
  return answer(auth, await redeem(auth, request, async () => taken));
}

async function answer(auth: Auth, grant: Grant | undefined): Promise<Answer> {
  return ok(
    grant === undefined ? { msg: HALF_DONE, code: "200" } : await writeSession(auth, grant),
  );
}

/** Outside of a transaction, so that a wrong guess is counted whatever follows. */
async function takeByCode(
  auth: Auth,
  request: AuthRequest,
  type: string,
  code: string,
): Promise<TakenToken> {
  const email = textField(request.body, "email");
  const phone = textField(request.body, "phone");
  if ((email === undefined) === (phone === undefined))
    throw new AuthFault(
      "validation_failed",
      "Only an email address or phone number should be provided on verify",
    );
  const kinds = kindsOf(email === undefined ? PHONE_TYPES : MAIL_TYPES, type);
  const sentTo = email === undefined ? readPhone(phone ?? "") : readEmail(email);
  const users = await candidates(auth.database, kinds, sentTo);
  const who = { account: sentTo, ip: request.ip, userId: users[0] };
  const guard = await guardGuess(auth, "code", who);
  for (const userId of users.length === 0 ? [undefined] : users) {
    const taken = await takeCode(auth, auth.database, { userId, kinds, sentTo, code });
    if (taken === undefined) continue;
    await guard.right();
    return taken;
  }
  await guard.wrong();
  throw lost();
}

/** Several users may want to change to the same address; the rest is one at most. */
async function candidates(
  db: Queryable,
  kinds: readonly TokenKind[],
  sentTo: string,
): Promise<readonly string[]> {
  const user = sentTo.includes("@") ? await userByEmail(db, sentTo) : await userByPhone(db, sentTo);
  const changing = kinds.find((kind) => kind === "email_change_new" || kind === "phone_change");
  if (changing === undefined) return user === undefined ? [] : [user.id];
  const found = await db.query(
    "select user_id from auth_one_time_tokens where kind = $1 and sent_to = $2 order by created_at desc limit 5",
    [changing, sentTo],
  );
  const others = found.rows.map((row) => text(row, "user_id"));
  return [...new Set(user === undefined ? others : [user.id, ...others])];
}

async function redeem(
  auth: Auth,
  request: AuthRequest,
  take: (tx: Queryable) => Promise<TakenToken | undefined>,
): Promise<Grant | undefined> {
  const work = auth.database.transaction(async (tx): Promise<Grant | undefined> => {
    const taken = await take(tx);
    if (taken === undefined) throw lost();
    const done = await apply(auth, tx, taken);
    if (done === undefined) return undefined;
    await audit(auth, tx, { action: "login", ip: request.ip, actor: done.user });
    return startSession(auth, tx, { user: done.user, method: "otp", request });
  });
  return orExists(
    work,
    new AuthFault("email_exists", "A user with this email address has already been registered"),
  );
}

/** What the token proves becomes true. */
async function apply(auth: Auth, tx: Queryable, taken: TakenToken): Promise<Verified> {
  const user = await lockUser(tx, taken.userId);
  if (user === undefined) throw lost();
  refuseBanned(auth, user);
  switch (taken.kind) {
    case "confirmation":
    case "recovery":
      // An address that changed since proves nothing about the new one.
      if (user.email !== taken.sentTo) throw lost();
      return { user: await confirmEmail(auth, tx, user) };
    case "phone_confirmation":
      if (user.phone !== taken.sentTo) throw lost();
      return { user: await confirmPhone(auth, tx, user) };
    case "email_change_current":
    case "email_change_new":
      return changeEmail(auth, tx, user, taken);
    case "phone_change":
      return changePhone(auth, tx, user, taken);
    case "reauthentication":
      throw lost();
  }
}

/** The link of a mail, opened in a browser: it always ends in a redirect to an allowed address. */
export async function verifyGet(auth: Auth, request: AuthRequest): Promise<Answer> {
  const target = auth.redirects.choose(textField(request.query, "redirect_to"));
  const link = textField(request.query, "token") ?? "";
  const type = textField(request.query, "type") ?? "";
  const pkce = link.startsWith(PKCE_PREFIX);
  try {
    auth.limits.take("verify", request.ip);
    if (link === "" || type === "")
      throw new AuthFault("validation_failed", "Verify requires a token and a verification type");
    const kinds = kindsOf(MAIL_TYPES, type);
    return pkce
      ? await answerWithCode(auth, { link, kinds, type, target })
      : await answerWithSession(auth, request, { link, kinds, type, target });
  } catch (error) {
    if (!(error instanceof AuthFault)) throw error;
    return { location: faultRedirect(target, error, pkce) };
  }
}

interface Link {
  readonly link: string;
  readonly kinds: readonly TokenKind[];
  readonly type: string;
  readonly target: string;
}

async function answerWithSession(auth: Auth, request: AuthRequest, at: Link): Promise<Answer> {
  const grant = await redeem(auth, request, async (tx) => {
    const taken = await takeLink(auth, tx, at.link, at.kinds);
    if (taken === undefined)
      throw new AuthFault("otp_expired", "Email link is invalid or has expired");
    return taken;
  });
  if (grant === undefined) return { location: withFragment(at.target, { message: HALF_DONE }) };
  const session = await writeSession(auth, grant);
  const values: Record<string, string> = { type: at.type };
  for (const name of ["access_token", "expires_at", "expires_in", "refresh_token", "token_type"])
    values[name] = String(session[name]);
  return { location: withFragment(at.target, values) };
}

async function answerWithCode(auth: Auth, at: Link): Promise<Answer> {
  const code = await orExists(
    auth.database.transaction(async (tx) => {
      const taken = await takeLink(auth, tx, at.link, at.kinds);
      if (taken === undefined || taken.flowId === null)
        throw new AuthFault("otp_expired", "Email link is invalid or has expired");
      const done = await apply(auth, tx, taken);
      if (done === undefined) return undefined;
      const method = at.type === "signup" ? "email/signup" : at.type;
      return issueCode(auth, tx, { flowId: taken.flowId, userId: done.user.id, method });
    }),
    new AuthFault("email_exists", "A user with this email address has already been registered"),
  );
  return { location: withQuery(at.target, code === undefined ? { message: HALF_DONE } : { code }) };
}

/** An error as a page finds it: after the hash, and for PKCE in the query too. */
export function faultRedirect(target: string, fault: AuthFault, pkce: boolean): string {
  const values = {
    error: oauthError(fault.status),
    error_code: fault.code,
    error_description: fault.message,
  };
  return withFragment(pkce ? withQuery(target, values) : target, values);
}

/** Whether a nonce for a change of password is right; it is gone then. @throws AuthFault reauthentication_not_valid */
export async function takeNonce(
  auth: Auth,
  request: AuthRequest,
  user: StoredUser,
  nonce: string,
): Promise<void> {
  const guard = await guardGuess(auth, "code", {
    account: `nonce ${user.id}`,
    ip: request.ip,
    userId: user.id,
  });
  const row = await one(
    auth.database,
    "select sent_to from auth_one_time_tokens where user_id = $1 and kind = 'reauthentication'",
    [user.id],
  );
  const sentTo = row === undefined ? "" : text(row, "sent_to");
  const taken = await takeCode(auth, auth.database, {
    userId: user.id,
    kinds: ["reauthentication"],
    sentTo,
    code: nonce.replaceAll("-", ""),
  });
  if (taken !== undefined) return guard.right();
  await guard.wrong();
  throw new AuthFault("reauthentication_not_valid", "Nonce has expired or is invalid");
}

/** POST and GET /verify: a link or code becomes a session. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { refuseBanned } from "../context/caller.ts";
import type { Auth } from "../context/context.ts";
import { guardGuess } from "../context/counters.ts";
import { AuthFault } from "../http/errors.ts";
import { faultRedirect, sessionRedirect, withFragment, withQuery } from "../http/redirects.ts";
import {
  ok,
  parseEmail,
  parsePhone,
  textField,
  type AuthRequest,
  type AuthResponse,
} from "../http/request.ts";
import { startSession, writeSession, type Grant } from "../sessions/grant.ts";
import { text } from "../store/rows.ts";
import { lockUser, userByEmail, userByPhone, type StoredUser } from "../store/users.ts";
import { issueCode } from "../tokens/flows.ts";
import {
  guessCode,
  PKCE_PREFIX,
  redeemGuessed,
  takeLink,
  type GuessedToken,
  type TakenToken,
  type TokenKind,
} from "../tokens/onetime.ts";
import { confirmContact, contactTaken, orExists } from "./accounts.ts";
import { changeEmail, changePhone } from "./change.ts";

/** The kinds of token that a type of link or code may stand for, in the order in which they are tried. */
const MAIL_TYPES: Readonly<Record<string, readonly TokenKind[]>> = {
  signup: ["confirmation", "ownership"],
  invite: ["confirmation", "ownership"],
  magiclink: ["recovery", "confirmation", "ownership"],
  recovery: ["recovery"],
  email: ["confirmation", "ownership", "recovery"],
  email_change: ["email_change_current", "email_change_new"],
};

const PHONE_TYPES: Readonly<Record<string, readonly TokenKind[]>> = {
  sms: ["phone_confirmation", "phone_ownership"],
  phone_change: ["phone_change"],
};

const HALF_DONE =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

function kindsOf(
  table: Readonly<Record<string, readonly TokenKind[]>>,
  type: string,
): readonly TokenKind[] {
  const kinds = Object.hasOwn(table, type) ? table[type] : undefined;
  if (kinds === undefined)
    throw new AuthFault("validation_failed", "Unsupported verification type");
  return kinds;
}

const expired = (): AuthFault => new AuthFault("otp_expired", "Token has expired or is invalid");

/** POST /verify. @throws AuthFault otp_expired, validation_failed, user_banned, over_request_rate_limit */
export async function verifyPost(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const { body } = request;
  const type = textField(body, "type");
  if (type === undefined)
    throw new AuthFault("validation_failed", "Verify requires a verification type");
  const hash = textField(body, "token_hash");
  if (hash !== undefined) {
    if (["token", "email", "phone"].some((name) => textField(body, name) !== undefined))
      throw new AuthFault("validation_failed", "Only the token_hash and type should be provided");
    const kinds = kindsOf(MAIL_TYPES, type);
    return respond(auth, await redeem(auth, request, (tx) => takeLink(auth, tx, hash, kinds)));
  }
  const code = textField(body, "token");
  if (code === undefined)
    throw new AuthFault("validation_failed", "Verify requires a token or a token hash");
  const token = await guessToken(auth, request, type, code.replaceAll("-", ""));
  return respond(auth, await redeem(auth, request, (tx) => redeemGuessed(tx, token)));
}

async function respond(auth: Auth, grant: Grant | undefined): Promise<AuthResponse> {
  return ok(
    grant === undefined ? { msg: HALF_DONE, code: "200" } : await writeSession(auth, grant),
  );
}

/** Finds the token of a code, outside of a transaction: a wrong guess counts whatever follows. */
async function guessToken(
  auth: Auth,
  request: AuthRequest,
  type: string,
  code: string,
): Promise<GuessedToken> {
  const email = textField(request.body, "email");
  const phone = textField(request.body, "phone");
  if ((email === undefined) === (phone === undefined))
    throw new AuthFault(
      "validation_failed",
      "Only an email address or phone number should be provided on verify",
    );
  const kinds = kindsOf(email === undefined ? PHONE_TYPES : MAIL_TYPES, type);
  const sentTo = email === undefined ? parsePhone(phone ?? "") : parseEmail(email);
  const users = await candidates(auth.database, kinds, sentTo);
  const who = { account: sentTo, ip: request.ip, userId: users[0] };
  const guard = await guardGuess(auth, "code", who);
  for (const userId of users.length === 0 ? [undefined] : users) {
    const token = await guessCode(auth, auth.database, { userId, kinds, sentTo, code });
    if (token === undefined) continue;
    await guard.right();
    return token;
  }
  throw expired();
}

/** Returns the ids of the users whose code it may be: several may want to change to the same address. */
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
  const changingIds = found.rows.map((row) => text(row, "user_id"));
  return [...new Set(user === undefined ? changingIds : [user.id, ...changingIds])];
}

/** Redeems a token; undefined when the other address of a change has to confirm as well. */
async function redeem(
  auth: Auth,
  request: AuthRequest,
  take: (tx: Queryable) => Promise<TakenToken | undefined>,
): Promise<Grant | undefined> {
  const work = auth.database.transaction(async (tx): Promise<Grant | undefined> => {
    const token = await take(tx);
    if (token === undefined) throw expired();
    const user = await apply(auth, tx, token, request.ip);
    if (user === undefined) return undefined;
    await audit(auth, tx, { action: "login", ip: request.ip, actor: user });
    return startSession(auth, tx, { user, method: "otp", request });
  });
  return orExists(work, contactTaken("email"));
}

/** Applies what the token proves, and returns the user; undefined when the other address of a change has to confirm as well. */
async function apply(
  auth: Auth,
  tx: Queryable,
  token: TakenToken,
  ip: string,
): Promise<StoredUser | undefined> {
  const user = await lockUser(tx, token.userId);
  if (user === undefined) throw expired();
  refuseBanned(auth, user);
  switch (token.kind) {
    case "confirmation":
    case "ownership":
    case "recovery":
      // A mail to an earlier address proves nothing about the present one.
      if (user.email !== token.sentTo) throw expired();
      return confirmContact(auth, tx, user, {
        kind: "email",
        signsUp: token.kind === "confirmation",
      });
    case "phone_confirmation":
    case "phone_ownership":
      if (user.phone !== token.sentTo) throw expired();
      return confirmContact(auth, tx, user, {
        kind: "phone",
        signsUp: token.kind === "phone_confirmation",
      });
    case "email_change_current":
    case "email_change_new":
      return changeEmail(auth, tx, user, token, ip);
    case "phone_change":
      return changePhone(auth, tx, user, token, ip);
    case "reauthentication":
      throw expired();
  }
}

/** GET /verify: the link of a mail, opened in a browser. The response is always a redirect to an allowed address. */
export async function verifyGet(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  let target = auth.urls.site();
  let pkce = false;
  try {
    target = auth.redirects.choose(textField(request.query, "redirect_to"));
    const link = textField(request.query, "token") ?? "";
    const type = textField(request.query, "type") ?? "";
    pkce = link.startsWith(PKCE_PREFIX);
    auth.limits.take("verify", request.ip);
    if (link === "" || type === "")
      throw new AuthFault("validation_failed", "Verify requires a token and a verification type");
    const opened = { link, kinds: kindsOf(MAIL_TYPES, type), type, target };
    return pkce
      ? await redirectWithCode(auth, request, opened)
      : await redirectWithSession(auth, request, opened);
  } catch (error) {
    if (!(error instanceof AuthFault)) throw error;
    return { location: faultRedirect(target, error, pkce) };
  }
}

interface OpenedLink {
  readonly link: string;
  readonly kinds: readonly TokenKind[];
  readonly type: string;
  readonly target: string;
}

const linkExpired = (): AuthFault =>
  new AuthFault("otp_expired", "Email link is invalid or has expired");

async function redirectWithSession(
  auth: Auth,
  request: AuthRequest,
  opened: OpenedLink,
): Promise<AuthResponse> {
  const grant = await redeem(auth, request, async (tx) => {
    const token = await takeLink(auth, tx, opened.link, opened.kinds);
    if (token === undefined) throw linkExpired();
    return token;
  });
  if (grant === undefined) return { location: withFragment(opened.target, { message: HALF_DONE }) };
  const session = await writeSession(auth, grant);
  return { location: sessionRedirect(opened.target, session, { type: opened.type }) };
}

async function redirectWithCode(
  auth: Auth,
  request: AuthRequest,
  opened: OpenedLink,
): Promise<AuthResponse> {
  const work = auth.database.transaction(async (tx) => {
    const token = await takeLink(auth, tx, opened.link, opened.kinds);
    if (token === undefined || token.flowId === null) throw linkExpired();
    const user = await apply(auth, tx, token, request.ip);
    if (user === undefined) return undefined;
    const method = opened.type === "signup" ? "email/signup" : opened.type;
    return issueCode(auth, tx, { flowId: token.flowId, userId: user.id, method });
  });
  const code = await orExists(work, contactTaken("email"));
  const values = code === undefined ? { message: HALF_DONE } : { code };
  return { location: withQuery(opened.target, values) };
}

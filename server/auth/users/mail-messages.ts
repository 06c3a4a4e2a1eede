/** Composes a mail: its receiver, its subject and its link. */

import type { Auth } from "../context/context.ts";
import type { StoredUser } from "../store/users.ts";
import type { OneTimeToken } from "../tokens/onetime.ts";
import { mailLink } from "../http/urls.ts";
import type { Mail } from "../mail/outbox.ts";
import { fillTemplate, kindKey, type MailKind } from "../mail/templates.ts";

export interface MailOrder {
  readonly kind: MailKind;
  /** The `type` of the link, which GET /verify reads. */
  readonly type: string;
  readonly user: StoredUser;
  readonly to: string;
  readonly newEmail?: string | undefined;
  readonly token: OneTimeToken;
  readonly redirectTo: string;
}

/** Returns the link of a mail; the service key may ask for it without a mail. */
export function actionLink(
  auth: Auth,
  order: Pick<MailOrder, "kind" | "type" | "token" | "redirectTo">,
): string {
  return mailLink(auth.urls, pathOf(auth, order.kind), {
    token: order.token.link,
    type: order.type,
    redirect_to: order.redirectTo,
  });
}

function pathOf(auth: Auth, kind: MailKind): string {
  const s = auth.settings;
  if (kind === "invite") return s.GOTRUE_MAILER_URLPATHS_INVITE;
  if (kind === "email_change") return s.GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE;
  if (kind === "confirmation") return s.GOTRUE_MAILER_URLPATHS_CONFIRMATION;
  return s.GOTRUE_MAILER_URLPATHS_RECOVERY;
}

/** Posts a mail and returns at once. An address outside of the operator's list gets no mail. */
export function postMail(auth: Auth, order: MailOrder): void {
  auth.outbox.post(() => {
    const allowed = auth.settings.GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES;
    if (allowed.length === 0 || allowed.includes(order.to)) return compose(auth, order);
    auth.log.warn("a mail was not sent: its address is not authorized", { to: order.to });
    return undefined;
  });
}

function compose(auth: Auth, order: MailOrder): Mail {
  const values = {
    SiteURL: auth.urls.site(),
    ConfirmationURL: actionLink(auth, order),
    Email: order.user.email ?? order.to,
    NewEmail: order.newEmail ?? "",
    Token: order.token.code,
    TokenHash: order.token.link,
    RedirectTo: order.redirectTo,
    Data: order.user.userMetadata,
  };
  return {
    to: order.to,
    subject: auth.settings[`GOTRUE_MAILER_SUBJECTS_${kindKey(order.kind)}`],
    html: async () => fillTemplate(await auth.templates.get(order.kind), values),
  };
}

/** The domain and the origins that security keys and passkeys are made for. */

import type { Auth } from "../context.ts";
import { AuthFault } from "../errors.ts";
import { recordField, textField, textsField } from "../request.ts";
import type { AuthRequest } from "../request.ts";

export interface RelyingParty {
  readonly id: string;
  readonly name: string;
  readonly origins: readonly string[];
}

/** By the settings; without them, the site's. */
export function relyingParty(auth: Auth): RelyingParty {
  const site = new URL(auth.urls.site());
  const origins = auth.settings.GOTRUE_WEBAUTHN_RP_ORIGINS;
  // Browsers know no relying party that is an address: this machine's is localhost.
  const local = ["127.0.0.1", "[::1]"].includes(site.hostname);
  const named = site.origin.replace(site.hostname, "localhost");
  return {
    id: auth.settings.GOTRUE_WEBAUTHN_RP_ID ?? (local ? "localhost" : site.hostname),
    name: auth.settings.GOTRUE_WEBAUTHN_RP_DISPLAY_NAME || auth.productName,
    origins:
      origins.length > 0
        ? origins.map((origin) => new URL(origin).origin)
        : local
          ? [named, site.origin]
          : [site.origin],
  };
}

/**
 * The client names a relying party for a second factor. It may be another one than the settings' only when
 * these leave it open, and when its origins are ones that a redirect may go to.
 * @throws AuthFault validation_failed
 */
export function requestedParty(auth: Auth, request: AuthRequest): RelyingParty {
  const own = relyingParty(auth);
  const asked = recordField(request.body, "webauthn");
  const id =
    asked === undefined ? undefined : (textField(asked, "rpId") ?? textField(asked, "rp_id"));
  const origins =
    asked === undefined
      ? undefined
      : (textsField(asked, "rpOrigins") ?? textsField(asked, "rp_origins"));
  if (id === undefined || id === own.id) return own;
  const open = auth.settings.GOTRUE_WEBAUTHN_RP_ID === null;
  const wanted = origins ?? [`https://${id}`];
  if (
    !open ||
    wanted.length === 0 ||
    !wanted.every((origin) => isOrigin(origin, id) && auth.redirects.allows(origin))
  )
    throw new AuthFault("validation_failed", "rpId or rpOrigins is not allowed on this server");
  return { id, name: own.name, origins: wanted.map((origin) => new URL(origin).origin) };
}

function isOrigin(origin: string, id: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return hostname === id || hostname.endsWith(`.${id}`);
}

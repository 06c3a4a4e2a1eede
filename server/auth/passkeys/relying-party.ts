/** The relying party of WebAuthn: the domain and the origins to which security keys and passkeys are bound. */

import type { Auth } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { recordField, textField, textsField, type AuthRequest } from "../http/request.ts";

export interface RelyingParty {
  readonly id: string;
  readonly name: string;
  readonly origins: readonly string[];
}

/** Returns the relying party of the settings, or else the site's. */
export function relyingParty(auth: Auth): RelyingParty {
  const site = new URL(auth.urls.site());
  const origins = auth.settings.GOTRUE_WEBAUTHN_RP_ORIGINS;
  // An IP address cannot be a relying party, so this machine is localhost.
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
 * Returns the relying party that the client names for a second factor. It may differ from that of the settings only
 * while GOTRUE_WEBAUTHN_RP_ID is not set, and only with origins to which a redirect may go.
 * @throws AuthFault validation_failed
 */
export function requestedParty(auth: Auth, request: AuthRequest): RelyingParty {
  const own = relyingParty(auth);
  const given = recordField(request.body, "webauthn");
  const id =
    given === undefined ? undefined : (textField(given, "rpId") ?? textField(given, "rp_id"));
  const origins =
    given === undefined
      ? undefined
      : (textsField(given, "rpOrigins") ?? textsField(given, "rp_origins"));
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

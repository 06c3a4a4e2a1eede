/** Routes that are open without the second factor, and what their calls need. */

import { PASSWORD } from "../../../testing/auth/people.ts";

export interface Member {
  readonly email: string;
  /** An access token of a session with the second factor. */
  readonly strong: string;
  readonly factorId: string;
  /** A phone factor that is not verified. */
  readonly spareId: string;
  readonly identityId: string;
  /** The authorization that an OAuth client has requested and the user has opened. */
  readonly authorizationId: string;
}

export interface Step {
  /** As the table of routes has it. */
  readonly route: string;
  readonly path?: (of: Member) => string;
  readonly body?: (of: Member) => Promise<object> | object;
}

export const UUID = "00000000-0000-4000-8000-000000000000";

/** Routes that are open without it: reading, one's own data, the way to the second factor, and leaving. */
export const OPEN: Readonly<Record<string, Step>> = {
  "reading one's account": { route: "GET /user" },
  "one's own data": { route: "PUT /user", body: () => ({ data: { name: "Ada" } }) },
  "a nonce to one's own address": { route: "GET /reauthenticate" },
  "the list of passkeys": { route: "GET /passkeys" },
  "a challenge of a verified factor": {
    route: "POST /factors/:factor_id/challenge",
    path: (of) => `/factors/${of.factorId}/challenge`,
  },
  "verifying a verified factor": {
    route: "POST /factors/:factor_id/verify",
    path: (of) => `/factors/${of.factorId}/verify`,
    body: () => ({ challenge_id: UUID, code: "000000" }),
  },
  "removing an unverified factor": {
    route: "DELETE /factors/:factor_id",
    path: (of) => `/factors/${of.spareId}`,
  },
  "reading an OAuth client's request": {
    route: "GET /oauth/authorizations/:authorization_id",
    path: (of) => `/oauth/authorizations/${of.authorizationId}`,
  },
  "denying an OAuth client access": {
    route: "POST /oauth/authorizations/:authorization_id/consent",
    path: (of) => `/oauth/authorizations/${of.authorizationId}/consent`,
    body: () => ({ action: "deny" }),
  },
  "the list of OAuth clients' rights": { route: "GET /user/oauth/grants" },
  "the facts that OAuth clients read": { route: "GET /oauth/userinfo" },
  "signing in": {
    route: "POST /token",
    path: () => "/token?grant_type=password",
    body: (of) => ({ email: of.email, password: PASSWORD }),
  },
  "leaving one's own session": { route: "POST /logout", path: () => "/logout?scope=local" },
};

/** The settings of the OAuth 2.1 server: a part of the table of settings. */

import { flag, whole, words } from "../../settings/kinds.ts";
import { duration, optionalWords } from "./kinds.ts";

export const OAUTH_SERVER_SETTINGS = {
  GOTRUE_OAUTH_SERVER_ENABLED: flag(
    false,
    "Other applications may ask people for access to their accounts, by OAuth 2.1.",
  ),
  GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: optionalWords(
    "The path, under GOTRUE_SITE_URL, of the page that asks people for consent.",
  ),
  GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL: duration(
    "10m",
    "How long a person may take to consent. The code that follows is good for 5 minutes at most.",
  ),
  GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE: words("email", "The scope of a client that asks for none."),
  GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: flag(false, "Clients may register themselves."),
  GOTRUE_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER: whole(
    [1, 1_000_000],
    10,
    "Registrations of clients per address in 5 minutes.",
  ),
  INKPOOL_OAUTH_CLIENTS_MANAGE_ACCOUNTS: flag(
    false,
    "The token of an OAuth client may change the account of its user, as on the hosted service.",
  ),
} as const;

import type { Auth } from "../context.ts";
import { AuthFault } from "../errors.ts";
import type { Answer, AuthRequest } from "../request.ts";

export async function signInWithIdToken(_auth: Auth, _request: AuthRequest): Promise<Answer> {
  throw new AuthFault("provider_disabled", "Sign-in with an id token is off");
}

import type { Auth } from "../context.ts";
import { AuthFault } from "../errors.ts";
import type { Answer, AuthRequest } from "../request.ts";

export async function signInWithWeb3(_auth: Auth, _request: AuthRequest): Promise<Answer> {
  throw new AuthFault("web3_provider_disabled", "Web3 provider is disabled");
}

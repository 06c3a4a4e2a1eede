/** Sign-in with an Ethereum or a Solana wallet. The server needs GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED or ..._SOLANA_ENABLED. */

import { check, clientOf, expectNone, type Environment } from "../environment.ts";

export async function wallets(env: Environment): Promise<void> {
  const options = { url: "http://localhost:3000/" };
  const statement = "Sign in to draw.";
  const ethereum = await clientOf(env).auth.signInWithWeb3({
    chain: "ethereum",
    wallet: env.ethereum as never,
    statement,
    options,
  });
  expectNone(ethereum.error);
  const solana = await clientOf(env).auth.signInWithWeb3({
    chain: "solana",
    wallet: env.solana as never,
    statement,
    options,
  });
  expectNone(solana.error);
  check(ethereum.data.user?.id !== solana.data.user?.id, "each wallet is an account of its own");
}

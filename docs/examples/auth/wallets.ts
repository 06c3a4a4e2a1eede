/** Sign-in with an Ethereum or a Solana wallet. The server needs GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED or ..._SOLANA_ENABLED. */

import { check, clientOf, expectNone } from "./world.ts";
import type { World } from "./world.ts";

export async function wallets(world: World): Promise<void> {
  const options = { url: "http://localhost:3000/" };
  const statement = "Sign in to draw.";
  const ethereum = await clientOf(world).auth.signInWithWeb3({
    chain: "ethereum",
    wallet: world.ethereum as never,
    statement,
    options,
  });
  expectNone(ethereum.error);
  const solana = await clientOf(world).auth.signInWithWeb3({
    chain: "solana",
    wallet: world.solana as never,
    statement,
    options,
  });
  expectNone(solana.error);
  check(ethereum.data.user?.id !== solana.data.user?.id, "each wallet is an account of its own");
}

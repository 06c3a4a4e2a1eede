/** POST /token?grant_type=web3. */

import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import { type Auth, timestamp } from "../context/context.ts";
import { AuthFault } from "../http/errors.ts";
import { findAccount } from "../oauth/accounts.ts";
import { ok, textField, type AuthResponse, type AuthRequest } from "../http/request.ts";
import { sha256 } from "../secrets/secrets.ts";
import { startSession, writeSession } from "../sessions/grant.ts";
import { retryOnConflict } from "../users/accounts.ts";
import { parseMessage, type Chain, type SignedMessage } from "./message.ts";

const MIN_BYTES = 64;
const MAX_BYTES = 20 * 1024;

const NAMES: Readonly<Record<Chain, string>> = { ethereum: "Ethereum", solana: "Solana" };

const refuse = (message: string): AuthFault => new AuthFault("invalid_grant", message);

/**
 * Signs in with a wallet.
 * @throws AuthFault invalid_grant, validation_failed, web3_provider_disabled, web3_unsupported_chain
 */
export async function signInWithWeb3(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const { chain, validityMs } = readChain(auth, request);
  const { text, message } = await readSigned(request, chain);
  checkSite(auth, chain, message);
  checkTimes(auth, chain, message, validityMs);
  const address = chain === "ethereum" ? message.address.toLowerCase() : message.address;
  const subject = `web3:${chain}:${address}`;
  const data = {
    sub: subject,
    custom_claims: {
      address,
      chain,
      network: message.chainId,
      domain: message.domain,
      statement: message.statement.slice(0, 500),
    },
    email_verified: false,
    phone_verified: false,
  };
  const profile = { subject, email: undefined, emailVerified: false, data };
  const external = { provider: "web3", profile, emailOptional: true, redirectTo: auth.urls.site() };
  const grant = await retryOnConflict(() =>
    auth.database.transaction(async (tx) => {
      await useOnce(auth, tx, text, validityMs);
      const found = await findAccount(auth, tx, request, external);
      if (found.kind === "unverified") throw new Error("a wallet has no email address to verify");
      const traits = { provider: "web3", chain, address };
      await audit(auth, tx, { action: "login", ip: request.ip, actor: found.user, traits });
      return startSession(auth, tx, { user: found.user, method: "web3", request });
    }),
  );
  return ok(await writeSession(auth, grant));
}

function readChain(auth: Auth, request: AuthRequest): { chain: Chain; validityMs: number } {
  const s = auth.settings;
  if (!s.GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED && !s.GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED)
    throw new AuthFault("web3_provider_disabled", "Web3 provider is disabled");
  const chain = textField(request.body, "chain");
  if (chain !== "ethereum" && chain !== "solana")
    throw new AuthFault("web3_unsupported_chain", "Unsupported chain");
  const [enabled, validityMs] =
    chain === "ethereum"
      ? [
          s.GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED,
          s.GOTRUE_EXTERNAL_WEB3_ETHEREUM_MAXIMUM_VALIDITY_DURATION,
        ]
      : [
          s.GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED,
          s.GOTRUE_EXTERNAL_WEB3_SOLANA_MAXIMUM_VALIDITY_DURATION,
        ];
  if (!enabled)
    throw new AuthFault("web3_provider_disabled", `${NAMES[chain]} Web3 provider is disabled`);
  return { chain, validityMs };
}

/** Returns a message with a valid signature by the address that it names. @throws AuthFault validation_failed, invalid_grant */
async function readSigned(
  request: AuthRequest,
  chain: Chain,
): Promise<{ text: string; message: SignedMessage }> {
  const text = textField(request.body, "message") ?? "";
  const signature = textField(request.body, "signature")?.trim() ?? "";
  const bytes = Buffer.byteLength(text);
  if (bytes < MIN_BYTES) throw new AuthFault("validation_failed", "message is too short");
  if (bytes > MAX_BYTES) throw new AuthFault("validation_failed", "message must not exceed 20KB");
  if (chain === "ethereum" && !/^0x[0-9a-fA-F]{130}$/.test(signature))
    throw new AuthFault(
      "validation_failed",
      "signature must be 65 bytes long, encoded as 0x and 130 hexadecimal digits",
    );
  if (chain === "solana" && !/^[A-Za-z0-9+/_-]{86}(==)?$/.test(signature))
    throw new AuthFault(
      "validation_failed",
      "signature must be 64 bytes encoded as base64 with or without padding",
    );
  const message = parseMessage(chain, text);
  if (typeof message === "string") throw new AuthFault("validation_failed", message);
  // It is loaded with the first wallet: its tables take longer to make than the rest of this API.
  const { ethereumSigner, isSolanaSignature } = await import("./signature.ts");
  const right =
    chain === "ethereum"
      ? ethereumSigner(text, signature) === message.address.toLowerCase()
      : isSolanaSignature(text, signature, message.address);
  if (!right) throw refuse("Signature does not match address in message");
  return { text, message };
}

/** Checks that the message is for this site. @throws AuthFault invalid_grant */
function checkSite(auth: Auth, chain: Chain, message: SignedMessage): void {
  const uri = new URL(message.uri);
  const local = uri.hostname === "localhost";
  const start = `Signed ${NAMES[chain]} message is using`;
  if (uri.protocol !== "https:" && !(local && uri.protocol === "http:"))
    throw refuse(`${start} URI which does not use HTTPS`);
  if (!auth.redirects.allows(message.uri))
    throw refuse(
      `${start} URI which is not allowed on this server, message was signed for another app`,
    );
  if (uri.host !== message.domain.toLowerCase())
    throw refuse(`${start} a Domain that does not match the one in URI`);
}

/**
 * Checks the times.
 * @throws AuthFault invalid_grant outside of the times that the message and the settings allow
 */
function checkTimes(auth: Auth, chain: Chain, message: SignedMessage, validityMs: number): void {
  const now = auth.clock();
  const name = `Signed ${NAMES[chain]} message`;
  if (message.notBefore !== null && now < message.notBefore)
    throw refuse(`${name} becomes valid in the future`);
  if (message.expiresAt !== null && now >= message.expiresAt) throw refuse(`${name} is expired`);
  if (now > message.issuedAt + validityMs) throw refuse(`${name} was issued too long ago`);
  if (now < message.issuedAt - validityMs) throw refuse(`${name} was issued too far in the future`);
}

/** Uses up a message, which works once, so that nobody who intercepts it can use it again. @throws AuthFault invalid_grant */
async function useOnce(auth: Auth, tx: Queryable, text: string, validityMs: number): Promise<void> {
  const first = await tx.query(
    `insert into auth_counters (key, count, until_at) values ($1, 1, $2)
     on conflict (key) do nothing returning key`,
    [`web3 ${sha256(text)}`, timestamp(auth, 2 * validityMs + 60_000)],
  );
  if (first.rows.length === 0) throw refuse("Signed message was used already");
}

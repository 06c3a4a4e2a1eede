import { SignJWT, decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { KeyMaterial, VerifyingKey } from "./material.ts";
import type { Claims, KeyRing, Role, TokenCheck, TokenFault } from "./port.ts";

const ROLES: readonly Role[] = ["anon", "authenticated", "service_role"];

/** Greatest number of characters of a token; a longer one is refused unread. */
const MAX_TOKEN_LENGTH = 16_384;

/** The times of API keys, which are valid for a hundred years. They are fixed, so that one secret always gives the same keys. */
const API_KEY_ISSUED = Date.UTC(2025, 0, 1) / 1000;
const API_KEY_EXPIRES = Date.UTC(2125, 0, 1) / 1000;

/** API keys that were issued earlier and stay valid while the material still verifies them. */
export interface IssuedKeys {
  readonly anonKey?: string | undefined;
  readonly serviceKey?: string | undefined;
}

/**
 * Makes the keys.
 * @param clock milliseconds since 1970
 */
export async function createKeyRing(
  material: KeyMaterial,
  clock: () => number,
  issued: IssuedKeys = {},
): Promise<KeyRing> {
  const check = (token: string): Promise<TokenCheck> => checkToken(material, clock, token);
  const sign = (claims: Claims): Promise<string> => signToken(material, claims);
  const apiKey = async (role: Role, known: string | undefined): Promise<string> => {
    const checked = known === undefined ? null : await check(known);
    if (known !== undefined && checked?.ok === true && checked.claims.role === role) return known;
    return sign({ iss: "supabase", role, iat: API_KEY_ISSUED, exp: API_KEY_EXPIRES });
  };
  const anonKey = await apiKey("anon", issued.anonKey);
  const anon = await check(anonKey);
  return {
    anonKey,
    serviceKey: await apiKey("service_role", issued.serviceKey),
    // This key, which every page shows, is public, and its signature was just verified.
    check: (token) =>
      token === anonKey && anon.ok && clock() < 1000 * (anon.claims.exp ?? 0)
        ? Promise.resolve(anon)
        : check(token),
    sign,
    async signIdToken({ role: _role, ...claims }) {
      if (material.signing.alg === "HS256") throw new Error("no asymmetric key signs id tokens");
      return signToken(material, claims);
    },
    idTokenAlgorithm: material.signing.alg === "HS256" ? null : material.signing.alg,
    jwks: () => ({
      keys: material.verifying.flatMap((key) => (key.publicJwk === null ? [] : [key.publicJwk])),
    }),
  };
}

function signToken(
  material: KeyMaterial,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { kid, alg, key } = material.signing;
  const header = kid === null ? { alg, typ: "JWT" } : { alg, kid, typ: "JWT" };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

async function checkToken(
  material: KeyMaterial,
  clock: () => number,
  token: string,
): Promise<TokenCheck> {
  if (token === "") return { ok: false, fault: "missing" };
  if (token.length > MAX_TOKEN_LENGTH) return { ok: false, fault: "malformed" };
  try {
    const key = pickKey(material, token);
    if (key === null) return { ok: false, fault: "signature" };
    const { payload } = await jwtVerify(token, key.key, {
      algorithms: [key.alg],
      currentDate: new Date(clock()),
    });
    const role = ROLES.find((one) => one === payload["role"]);
    if (role === undefined || payload.exp === undefined) return { ok: false, fault: "claims" };
    return { ok: true, claims: payload as unknown as Claims };
  } catch (error) {
    return { ok: false, fault: nameFault(error) };
  }
}

/** Returns the key that the header names; the plain secret for an HS256 token that names none, or an unknown one. */
function pickKey(material: KeyMaterial, token: string): VerifyingKey | null {
  const { kid, alg } = decodeProtectedHeader(token);
  const named = material.verifying.find((key) => key.kid === kid && key.alg === alg);
  return named ?? material.verifying.find((key) => key.kid === null && key.alg === alg) ?? null;
}

function nameFault(error: unknown): TokenFault {
  if (error instanceof errors.JWTExpired) return "expired";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "signature";
  if (error instanceof errors.JWTClaimValidationFailed) return "claims";
  return "malformed";
}

/** POST /factors and DELETE /factors/:factor_id. */

import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import type { Queryable } from "../../storage/port.ts";
import { audit } from "../context/audit.ts";
import {
  lockCaller,
  requireAal2,
  requireSecondFactor,
  requireUser,
  type Caller,
} from "../context/caller.ts";
import { timestamp, type Auth } from "../context/context.ts";
import { AuthFault, type ErrorCode } from "../http/errors.ts";
import {
  ok,
  textField,
  uuidParam,
  parsePhone,
  type AuthResponse,
  type AuthRequest,
} from "../http/request.ts";
import {
  factorOf,
  factorsOf,
  deleteFactor,
  type FactorType,
  type StoredFactor,
} from "../store/factors.ts";
import { insert, type Values } from "../store/rows.ts";
import { orExists } from "../users/accounts.ts";

type Step = "enroll" | "verify";

function isEnabled({ settings: s }: Auth, type: FactorType, step: Step): boolean {
  const on: Readonly<Record<FactorType, readonly [boolean, boolean]>> = {
    totp: [s.GOTRUE_MFA_TOTP_ENROLL_ENABLED, s.GOTRUE_MFA_TOTP_VERIFY_ENABLED],
    phone: [s.GOTRUE_MFA_PHONE_ENROLL_ENABLED, s.GOTRUE_MFA_PHONE_VERIFY_ENABLED],
    webauthn: [s.GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED, s.GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED],
  };
  return on[type][step === "enroll" ? 0 : 1];
}

/**
 * Requires that a step is enabled for a type of factor.
 * @throws AuthFault mfa_<type>_<step>_not_enabled
 */
export function requireEnabled(auth: Auth, type: FactorType, step: Step): void {
  if (isEnabled(auth, type, step)) return;
  const code: ErrorCode = `mfa_${type}_${step}_not_enabled`;
  const shown = { totp: "TOTP", phone: "Phone", webauthn: "WebAuthn" }[type];
  throw new AuthFault(
    code,
    `MFA ${step === "enroll" ? "enroll" : "verification"} is disabled for ${shown}`,
  );
}

/** Adds an unverified factor. @throws AuthFault mfa_<type>_enroll_not_enabled, mfa_factor_name_conflict, too_many_enrolled_mfa_factors, insufficient_aal */
export async function enrollFactor(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireUser(auth, request);
  if (caller.user.isAnonymous)
    throw new AuthFault("no_authorization", "Anonymous user not allowed to perform these actions", {
      status: 403,
    });
  const type = textField(request.body, "factor_type");
  if (type !== "totp" && type !== "phone" && type !== "webauthn")
    throw new AuthFault("validation_failed", "factor_type needs to be totp, phone, or webauthn");
  requireEnabled(auth, type, "enroll");
  const name = (textField(request.body, "friendly_name") ?? "").slice(0, 256);
  const phone = type === "phone" ? requiredPhone(request) : undefined;
  const seed = type === "totp" ? new Secret({ size: 20 }) : undefined;
  const totp = seed === undefined ? undefined : showSeed(auth, request, caller, seed);
  const id = randomUUID();
  await addFactor(auth, request, caller, {
    id,
    user_id: caller.user.id,
    friendly_name: name,
    factor_type: type,
    status: "unverified",
    phone: phone ?? null,
    secret: seed === undefined ? null : auth.pepper.seal(seed.base32, `factor ${id}`),
    created_at: timestamp(auth),
    updated_at: timestamp(auth),
  });
  const shown = { id, type, friendly_name: name };
  if (totp !== undefined) return ok({ ...shown, totp });
  return ok(phone === undefined ? shown : { ...shown, phone });
}

function requiredPhone(request: AuthRequest): string {
  const phone = textField(request.body, "phone");
  if (phone === undefined)
    throw new AuthFault("validation_failed", "Phone number required to enroll Phone factor");
  return parsePhone(phone);
}

/** Returns the seed in the forms that an authenticator app reads. @throws AuthFault validation_failed */
function showSeed(
  auth: Auth,
  request: AuthRequest,
  caller: Caller,
  seed: Secret,
): { qr_code: string; secret: string; uri: string } {
  const issuer = textField(request.body, "issuer") ?? new URL(auth.urls.site()).host;
  const label = caller.user.email ?? caller.user.phone ?? caller.user.id;
  // A colon separates issuer and label, so the issuer must not contain one.
  const totp = new TOTP({ issuer: issuer.replaceAll(":", " "), label, secret: seed });
  const size = 'width="$1" height="$2"';
  try {
    const uri = totp.toString();
    const code = renderSVG(uri, { ecc: "M", border: 4, pixelSize: 4 }).replace(
      /viewBox="0 0 (\d+) (\d+)"/,
      `$& ${size}`,
    );
    return { qr_code: code, secret: seed.base32, uri };
  } catch {
    // It is too long for a QR code, or contains half of a surrogate pair.
    throw new AuthFault("validation_failed", "issuer does not fit into a QR code");
  }
}

async function addFactor(
  auth: Auth,
  request: AuthRequest,
  caller: Caller,
  values: Values,
): Promise<void> {
  const { user } = caller;
  const name = String(values["friendly_name"]);
  const conflict = new AuthFault(
    "mfa_factor_name_conflict",
    `A factor with the friendly name "${name}" for this user already exists`,
  );
  const work = auth.database.transaction(async (tx) => {
    await lockCaller(tx, caller);
    await tx.query(
      "delete from auth_factors where user_id = $1 and status = 'unverified' and (created_at <= $2 or phone = $3)",
      [
        user.id,
        timestamp(auth, -auth.settings.GOTRUE_MFA_FACTOR_EXPIRY_DURATION),
        values["phone"] ?? "",
      ],
    );
    const factors = await factorsOf(tx, user.id);
    refuseMore(auth, factors, { name, phone: values["phone"] ?? null });
    await requireAal2(tx, caller, "AAL2 required to enroll a new factor");
    await insert(tx, "auth_factors", values);
    const traits = { factor_id: String(values["id"]), factor_type: String(values["factor_type"]) };
    await audit(auth, tx, { action: "factor_in_progress", ip: request.ip, actor: user, traits });
  });
  await orExists(work, conflict);
}

function refuseMore(
  auth: Auth,
  factors: readonly StoredFactor[],
  wanted: { readonly name: string; readonly phone: unknown },
): void {
  const verified = factors.filter((factor) => factor.status === "verified");
  if (wanted.phone !== null && verified.some((factor) => factor.phone === wanted.phone))
    throw new AuthFault(
      "mfa_verified_factor_exists",
      "A verified phone factor already exists, unenroll the existing factor to continue",
    );
  if (wanted.name !== "" && factors.some((factor) => factor.friendlyName === wanted.name))
    throw new AuthFault(
      "mfa_factor_name_conflict",
      `A factor with the friendly name "${wanted.name}" for this user already exists`,
    );
  const full =
    factors.length >= auth.settings.GOTRUE_MFA_MAX_ENROLLED_FACTORS ||
    verified.length >= auth.settings.GOTRUE_MFA_MAX_VERIFIED_FACTORS;
  if (full)
    throw new AuthFault(
      "too_many_enrolled_mfa_factors",
      "Maximum number of verified factors reached, unenroll to continue",
    );
}

/** Returns the caller's factor that the path names. @throws AuthFault validation_failed, mfa_factor_not_found */
export async function ownFactor(
  auth: Auth,
  request: AuthRequest,
  caller: Caller,
): Promise<StoredFactor> {
  const factor = await factorOf(auth.database, caller.user.id, uuidParam(request, "factor_id"));
  if (factor === undefined) throw factorNotFound();
  return factor;
}

const factorNotFound = (): AuthFault => new AuthFault("mfa_factor_not_found", "Factor not found");

/**
 * Requires a second factor for a factor that is not verified yet, which becomes another way to aal2: a caller with a
 * verified one must use that first.
 * @throws AuthFault insufficient_aal
 */
export async function requireToVerify(
  auth: Auth,
  db: Queryable,
  caller: Caller,
  factor: StoredFactor,
): Promise<void> {
  if (factor.status === "unverified")
    await requireSecondFactor(auth, db, caller, "AAL2 required to verify a new factor");
}

/** Removes a factor. @throws AuthFault mfa_factor_not_found, insufficient_aal */
export async function unenrollFactor(auth: Auth, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireUser(auth, request);
  const { id } = await ownFactor(auth, request, caller);
  await auth.database.transaction(async (tx) => {
    await lockCaller(tx, caller);
    // Another request may have verified or removed it since.
    const factor = await factorOf(tx, caller.user.id, id);
    if (factor === undefined) throw factorNotFound();
    if (factor.status === "verified")
      await requireAal2(tx, caller, "AAL2 required to unenroll verified factor");
    await deleteFactor(tx, factor);
    const traits = { factor_id: factor.id };
    await audit(auth, tx, { action: "factor_deleted", ip: request.ip, actor: caller.user, traits });
  });
  return ok({ id });
}

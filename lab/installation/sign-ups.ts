import { generateKeyPairSync } from "node:crypto";

/** Returns settings of a server whose accounts need no mail, with SAML on, and a key that is made now. */
export function openSignUps(): Readonly<Record<string, string>> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    GOTRUE_MAILER_AUTOCONFIRM: "true",
    GOTRUE_SAML_ENABLED: "true",
    GOTRUE_SAML_PRIVATE_KEY: privateKey.export({ type: "pkcs1", format: "der" }).toString("base64"),
  };
}

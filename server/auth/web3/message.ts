/** The parser of the messages that wallets sign: EIP-4361 for Ethereum, and Solana's form of it. Strict, line by line. */

export type Chain = "ethereum" | "solana";

export interface SignedMessage {
  readonly domain: string;
  readonly address: string;
  readonly statement: string;
  readonly uri: string;
  readonly chainId: string;
  /** The time in milliseconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number | null;
  readonly notBefore: number | null;
}

const NAMES: Readonly<Record<Chain, string>> = { ethereum: "Ethereum", solana: "Solana" };

const ADDRESSES: Readonly<Record<Chain, RegExp>> = {
  ethereum: /^0x[0-9a-fA-F]{40}$/,
  solana: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
};

const FIELDS = [
  "URI",
  "Version",
  "Chain ID",
  "Nonce",
  "Issued At",
  "Expiration Time",
  "Not Before",
  "Request ID",
];

/** Returns the message, or a text about its fault. */
export function parseMessage(chain: Chain, text: string): SignedMessage | string {
  if (/[\r\0]/.test(text)) return "message contains characters that are not allowed";
  const lines = text.split("\n");
  const head = new RegExp(
    `^(?:https?://)?(\\S+) wants you to sign in with your ${NAMES[chain]} account:$`,
  ).exec(lines[0] ?? "");
  const domain = head?.[1];
  if (domain === undefined || !isDomain(domain)) return "message first line does not name a domain";
  const address = lines[1] ?? "";
  if (!ADDRESSES[chain].test(address)) return "message second line is not a wallet address";
  if (lines[2] !== "") return "message third line must be empty";
  const { statement, next } = readStatement(lines);
  const fields = readFields(lines.slice(next));
  if (typeof fields === "string") return fields;
  return readValues(fields, { domain, address, statement }, chain);
}

function isDomain(text: string): boolean {
  return URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text.toLowerCase();
}

/** Reads a line between empty ones, if any. */
function readStatement(lines: readonly string[]): { statement: string; next: number } {
  const third = lines[3] ?? "";
  if (FIELDS.some((name) => third.startsWith(`${name}: `))) return { statement: "", next: 3 };
  if (third === "") return { statement: "", next: 4 };
  return { statement: third, next: lines[4] === "" ? 5 : 4 };
}

function readFields(lines: readonly string[]): ReadonlyMap<string, string> | string {
  const fields = new Map<string, string>();
  let resources = false;
  for (const line of lines) {
    if (resources) {
      if (!line.startsWith("- ")) return "message contains something after its resources";
      continue;
    }
    if (line === "Resources:" || line === "Resources") {
      resources = true;
      continue;
    }
    const name = FIELDS.find((one) => line.startsWith(`${one}: `));
    if (name === undefined) return "message contains an unknown line";
    if (fields.has(name)) return `message names ${name} twice`;
    fields.set(name, line.slice(name.length + 2));
  }
  return fields;
}

function readValues(
  fields: ReadonlyMap<string, string>,
  head: Pick<SignedMessage, "domain" | "address" | "statement">,
  chain: Chain,
): SignedMessage | string {
  if (fields.get("Version") !== "1") return "message Version must be 1";
  const uri = fields.get("URI") ?? "";
  if (!URL.canParse(uri)) return "message URI is missing or no URL";
  const chainId = fields.get("Chain ID") ?? "";
  if (chain === "ethereum" && !/^\d{1,20}$/.test(chainId))
    return "message Chain ID is missing or no number";
  const issuedAt = readTime(fields.get("Issued At"));
  if (issuedAt === null || Number.isNaN(issuedAt)) return "message Issued At is missing or no time";
  const expiresAt = readTime(fields.get("Expiration Time"));
  const notBefore = readTime(fields.get("Not Before"));
  if (Number.isNaN(expiresAt) || Number.isNaN(notBefore)) return "message contains an invalid time";
  return { ...head, uri, chainId, issuedAt, expiresAt, notBefore };
}

function readTime(text: string | undefined): number | null {
  if (text === undefined) return null;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
}

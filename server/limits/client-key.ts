/** Identifies the client of a request, for everything that is limited for each client. */

import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import proxyAddr from "@fastify/proxy-addr";

/**
 * Returns which hops are trusted: hop 0 is the peer of the socket, and each trusted proxy adds one.
 * @param proxies The number of reverse proxies in front (TRUST_PROXY); 0 trusts no header.
 */
export function trustHops(proxies: number): (address: string, hop: number) => boolean {
  return (_address, hop) => hop < proxies;
}

/**
 * Returns the client's address: the peer of the socket, or the address that the outermost trusted proxy wrote into
 * X-Forwarded-For. Empty when the socket is closed already. Fastify's `request.ip` is the same address, since it uses
 * the same library with `trustHops`.
 */
export function clientAddress(request: IncomingMessage, proxies: number): string {
  // The types do not say so, but a socket that has been destroyed has no address.
  return (proxyAddr(request, trustHops(proxies)) as string | undefined) ?? "";
}

/** Returns the key under which a request's client is counted: `addressKey` of its address. */
export function clientKey(request: IncomingMessage, proxies: number): string {
  return addressKey(clientAddress(request, proxies));
}

/** Greatest number of characters of an address. */
const MAX_ADDRESS_LENGTH = 64;

/**
 * Returns the same key for the same client. An IPv4 address is its own key, also when it is written as IPv6
 * (`::ffff:192.0.2.1`); of an IPv6 address the first 64 bits count, since one household or firm has a whole /64. A
 * port behind the address does not count. Any other text is its own key.
 */
export function addressKey(address: string): string {
  const text = withoutPort(address.slice(0, MAX_ADDRESS_LENGTH).toLowerCase());
  if (!isIPv6(text)) return text;
  const groups = groupsOf(text.split("%")[0] ?? "");
  return isMapped(groups) ? dotted(groups) : groups.slice(0, 4).join(":");
}

const NETWORK_64 = /^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){3}$/;

/** Returns the networks of 56 and of 48 bits around a client key that is an IPv6 network; none for another key. */
export function widerNetworks(key: string): readonly string[] {
  if (!NETWORK_64.test(key)) return [];
  const [a, b, c, d = "0"] = key.split(":");
  const first = (Number.parseInt(d, 16) >> 8).toString(16);
  return [`${a}:${b}:${c}:${first}00/56`, `${a}:${b}:${c}/48`];
}

/** Removes the port of `192.0.2.1:80` and `[2001:db8::1]:80`, as some proxies write them. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed;
  const plain = /^([\d.]+):\d+$/.exec(text)?.[1];
  return plain !== undefined && isIPv4(plain) ? plain : text;
}

/** Returns the eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)]
      .map((group) => group.toString(16))
      .join(":"),
  );
  const [head = "", tail = ""] = hex.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ""));
}

/** Whether the address is an IPv4 address in IPv6's notation (RFC 4291, section 2.5.5.2). */
function isMapped(groups: readonly string[]): boolean {
  return groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff";
}

function dotted(groups: readonly string[]): string {
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

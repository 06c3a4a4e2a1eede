/** Faults that a peer can cause, with the texts of the hosted service, so that clients recognise them. */

import { LIMITS, SIZE_CHECK, TEXTS } from "../../../board/constants.ts";
import { VISITOR_REFUSALS } from "../../../board/refusals.ts";
import type { TokenFault } from "../../keys/port.ts";

/** The reasons why a join was refused: `<Code>: <text>` is the reason in the error reply. */
const JOIN_FAULTS = {
  TopicNameRequired: "You must provide a topic name of 1 to 246 bytes after realtime:",
  InvalidJoinPayload: "The join payload is not valid",
  Unauthorized: "You do not have permissions to read from this Channel topic",
  UnableToReplayMessages: "Realtime was unable to replay messages",
  ClientJoinRateLimitReached: "Too many joins per second",
  ChannelRateLimitReached: "Too many channels",
  ConnectionRateLimitReached: "Too many connected users",
  InvalidJWTToken: "The access token is not valid",
  MalformedJWT: "The token provided is not a valid JWT",
  JwtSignatureError: "Failed to validate JWT signature",
} as const;

type JoinFault = keyof typeof JOIN_FAULTS;

/** Returns the reason of an error reply to a join; `text` where the code alone says too little. */
export function joinReason(fault: JoinFault, text: string = JOIN_FAULTS[fault]): string {
  return `${fault}: ${text}`;
}

/**
 * The reasons why nothing is replayed: the hosted service stores the messages of its database, and no client's
 * broadcasts; this server stores none.
 */
export const REPLAY_FAULTS = {
  public: joinReason("UnableToReplayMessages", "Replay is not allowed for public channels"),
  malformed: joinReason("UnableToReplayMessages", "Replay params are not valid"),
  wanted: joinReason("UnableToReplayMessages"),
} as const;

/** The reasons of error replies to other messages. */
export const REPLY_FAULTS = {
  unmatchedTopic: "unmatched topic",
  presenceNotMap: "Presence track payload must be a map",
  presenceTooLarge: "Presence track payload is too large",
  presenceUnknown: "Unknown presence event",
  presenceRate: "Too many presence calls",
  presenceFull: "Too many presences in this channel",
  broadcastTooLarge: "Payload size exceeds the limit",
  broadcastsLarge: "Too many broadcasts over 3,000 KB wait",
  messageTooLarge: "A message that is no broadcast has at most 64 KB and 4096 members",
  boardLocked: TEXTS.locked,
  paused: VISITOR_REFUSALS.paused,
  newcomerLimit: VISITOR_REFUSALS.limit,
  serverEvent: "An event of the server's own",
  hostEvent: "An event of the board's host alone",
  broadcastMalformed: "A broadcast needs an event of 1 to 255 bytes and a payload",
} as const;

/** Returns the reason for refusing a broadcast over the limit: where no drawing may be as large, it is the canvas's own limit. */
export function payloadReason(bytes: number): string {
  if (bytes <= LIMITS.canvasBytes) return REPLY_FAULTS.broadcastTooLarge;
  return `${SIZE_CHECK}: ${TEXTS.dataTooLarge((bytes / 1_048_576).toFixed(2))}`;
}

/** The messages of the `system` error that precedes a forced `phx_close`. */
export const STOP_MESSAGES = {
  messageRate: "Too many messages per second",
  replication: "Replication connection was not established in time",
  unauthorized: "You do not have permissions to read from this Channel topic",
} as const;

/** The close codes and reasons of a whole connection (RFC 6455: at most 123 bytes). */
export const CLOSES = {
  idle: { code: 1000, reason: "Idle for too long" },
  slow: { code: 1013, reason: "Receiver is too slow" },
  faults: { code: 1008, reason: "Too many malformed or unexpected frames" },
  bytes: { code: 1008, reason: "Too many bytes per second" },
  held: { code: 1013, reason: "Too many bytes waiting" },
  stopping: { code: 1001, reason: "Server is stopping" },
} as const;

export type Close = (typeof CLOSES)[keyof typeof CLOSES];

/** The refusals of a handshake: status and the text in `{"error": ...}`. */
export const HANDSHAKE_FAULTS = {
  notFound: { status: 404, error: "Not found" },
  version: { status: 400, error: "Unsupported vsn; expected 1.0.0 or 2.0.0" },
  connections: { status: 429, error: "Too many connected users" },
  rate: { status: 429, error: "Too many joins per second" },
  stopping: { status: 503, error: "Server is stopping" },
} as const;

/** Counts of refusals and closes, by the reason's name. The names are those of the tables above, so that they are few. */
export interface ReasonCounts {
  readonly refusals: Record<string, number>;
  readonly closes: Record<string, number>;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ...Object.keys(JOIN_FAULTS).map((code) => [code, code] as const),
  ...Object.entries(REPLY_FAULTS).map(([name, text]) => [text, name] as const),
  [SIZE_CHECK, "broadcastTooLarge"],
]);

/** Returns the name of a reason in an error reply, which may begin with a code and end with a topic. */
export function reasonName(reason: string): string {
  return REASONS.get(reason) ?? REASONS.get(reason.split(":")[0] ?? "") ?? "other";
}

/** Returns the name of the reason that ended a connection. */
export function closeName({ reason }: Close): string {
  return Object.entries(CLOSES).find(([, close]) => close.reason === reason)?.[0] ?? "other";
}

/** Returns the name of the reason for which the socket library has closed a connection; null where the network broke it. */
export function libraryCloseName(error: Error & { readonly code?: string }): string | null {
  if (error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") return "frameTooLarge";
  return error.code?.startsWith("WS_ERR_") ? "protocol" : null;
}

/** Counts one more of a reason. */
export function countReason(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** The fault of a token, in the words of the handshake, a join and the `system` message. */
export interface TokenProblem {
  readonly text: string;
  readonly code: JoinFault;
}

export const TOKEN_FAULTS: Readonly<Record<TokenFault, TokenProblem>> = {
  missing: { text: "API key is missing", code: "InvalidJWTToken" },
  expired: { text: "Token has expired", code: "InvalidJWTToken" },
  claims: { text: "Fields `role` and `exp` are required in JWT", code: "InvalidJWTToken" },
  malformed: { text: JOIN_FAULTS.MalformedJWT, code: "MalformedJWT" },
  signature: { text: JOIN_FAULTS.JwtSignatureError, code: "JwtSignatureError" },
};

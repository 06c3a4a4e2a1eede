/** A text message in the form that each way of sending needs. */

import type { Channel } from "../http/request.ts";

export interface TextMessage {
  readonly phone: string;
  readonly code: string;
  readonly text: string;
  readonly channel: Channel;
  readonly user: Readonly<Record<string, unknown>>;
}

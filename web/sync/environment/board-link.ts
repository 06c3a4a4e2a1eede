/** A link of the board's host: a visitor who opened it may draw on a locked board. */

/** The part of the page's address behind `#`, in two. */
export interface BoardLink {
  readonly kind: "host" | "draw";
  readonly secret: string;
  /** Called when the backend knows the secret. */
  readonly keep?: () => void;
}

/** A visitor whose drawings are paused: by the clientId of a page of theirs. */
export interface PausedVisitor {
  readonly page: string;
  /** The name under which the host knew them. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Pauses a visitor for an hour, with `address` also others at their address, or ends a pause. Names a page by its clientId. */
export type PauseChange =
  | { readonly begin: string; readonly name: string; readonly address: boolean }
  | { readonly end: string };

/** The calls that only a host has. None of them rejects. */
export interface HostActions {
  /** Resolves to whether the backend has taken it. */
  readonly setLock: (locked: boolean) => Promise<boolean>;
  /** The secret of the drawing link; null while the backend does not say it. */
  readonly drawingSecret: () => Promise<string | null>;
  /** The visitors whose drawings are paused, after a change; null while the backend does not say it. */
  readonly pauses: (change?: PauseChange) => Promise<readonly PausedVisitor[] | null>;
  /** Makes all earlier links void. Resolves to the new host link's secret, or null when the backend refuses. */
  readonly renew: () => Promise<string | null>;
}

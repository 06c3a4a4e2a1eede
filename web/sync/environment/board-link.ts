/** A link of the board's host: who opened it may draw on a locked board. */

/** The part of the page's address behind `#`, in two. */
export interface BoardLink {
  readonly kind: "host" | "draw";
  readonly secret: string;
}

/** What a host does beyond drawing. None of the calls rejects. */
export interface HostActions {
  /** Resolves to whether the backend has taken it. */
  readonly setLock: (locked: boolean) => Promise<boolean>;
  /** The secret of the drawing link; null while the backend does not say it. */
  readonly drawingSecret: () => Promise<string | null>;
  /** Makes all links of before void. Resolves to the new host link's secret, or null. */
  readonly renew: () => Promise<string | null>;
}

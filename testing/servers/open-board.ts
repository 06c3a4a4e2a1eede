/** The access of a board that is never locked and has no links. */

import type { HostAccess } from "../../server/access/port.ts";

export const OPEN_BOARD: HostAccess = {
  locked: false,
  locks: 0,
  links: null,
  key: "",
  roleOf: () => null,
  mayDraw: () => true,
  isVoid: () => false,
  refresh: () => Promise.resolve(),
  onLock: () => {},
  pauses: {
    isPaused: () => false,
    findWith: () => {},
    list: () => [],
    begin: () => Promise.resolve(),
    end: () => Promise.resolve(),
  },
};

/**
 * The board's code, which the bundler puts into one chunk: the page is painted before it arrives, and sync client and
 * canvas share too much for two chunks.
 */

export { createBoardCanvas } from "../../canvas/board-canvas.ts";
export { createSyncClient } from "../../sync/sync-client.ts";

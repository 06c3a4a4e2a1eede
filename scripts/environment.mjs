/** The environment of the product's processes that tests and measurements start. */

/** Matches the names of the settings of the server, and of Node.js. */
export const SETTING =
  /^(?:PORT|HOST|DATA_DIR|PRODUCT_NAME|AUTH|OFFLINE|FRAME_ANCESTORS|BASE_PATH|LIVE_BUDGET|TRUST_PROXY|TABLE_[A-Z_]+|STATEMENT_SECONDS|DRAIN_SECONDS|BOARD_LOCKED|HISTORY_BYTES|API_EXTERNAL_URL|NODE_OPTIONS|(?:DATABASE|REDIS|SUPABASE|NEWCOMER|METRICS|LOG|REALTIME|GOTRUE|INKPOOL)_[A-Z0-9_]+)$/;

/**
 * Returns the environment of this process without settings: what a test starts must neither depend on those of a shell
 * nor write into the database that they name.
 */
export function withoutSettings() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTING.test(name)));
}

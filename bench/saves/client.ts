/** What the people of this bench are made of. */

export { openSupabaseBackend } from "../../web/sync/supabase/supabase.ts";
export { createSyncClient } from "../../web/sync/sync-client.ts";

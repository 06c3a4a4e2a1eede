export { createClient } from "@supabase/supabase-js";
export { Canvas } from "fabric";
export { start } from "../../server/http/start.ts";

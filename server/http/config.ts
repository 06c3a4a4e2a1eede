import type { FastifyInstance } from "fastify";
import type { Settings } from "../settings/settings.ts";
import { listeningOrigin, requestOrigin } from "./origin.ts";

/** The configuration that the page reads at run time. */
export interface PageConfig {
  readonly productName: string;
  /** The backend's origin: this server's own as the browser named it, with BASE_PATH, or the Supabase project's. */
  readonly supabaseUrl: string;
  readonly supabaseAnonKey: string;
  /** Live messages per second that the page may plan with; absent when the page should use its default. */
  readonly liveBudget?: number;
  /** Whether the backend sends summaries of presence to pages that ask for them; absent for a Supabase project. */
  readonly presenceSummary?: true;
}

/**
 * Registers the route of the configuration.
 * @param anonKey The key of the embedded backend; unused with SUPABASE_URL.
 */
export function registerConfig(app: FastifyInstance, settings: Settings, anonKey: string): void {
  app.get("/config.json", async (request, reply) => {
    const { supabase, productName, liveBudget, basePath } = settings;
    const own = requestOrigin(request) ?? listeningOrigin(settings.host, settings.port);
    const config: PageConfig = {
      productName,
      supabaseUrl: supabase?.url ?? own + basePath,
      supabaseAnonKey: supabase?.anonKey ?? anonKey,
      ...(liveBudget === null ? {} : { liveBudget }),
      ...(supabase === null ? { presenceSummary: true } : {}),
    };
    return reply.header("cache-control", "no-store").send(config);
  });
}

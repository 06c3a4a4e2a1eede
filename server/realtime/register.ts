import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "../deps.ts";

export async function registerRealtime(_app: FastifyInstance, _deps: ServerDeps): Promise<void> {}

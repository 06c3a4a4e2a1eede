import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "../deps.ts";

/** The auth API's routes answer in its error format that they are not there yet. */
export async function registerAuth(app: FastifyInstance, _deps: ServerDeps): Promise<void> {
  app.all("/auth/v1/*", async (_request, reply) =>
    reply
      .code(501)
      .send({ code: 501, error_code: "not_implemented", msg: "The auth API is not available yet" }),
  );
}

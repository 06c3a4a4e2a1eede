/** Counts requests by their outcome, in an operator's terms. */

/** A time limit in milliseconds, longer than everything that the server waits for. */
const NO_ANSWER = 60_000;

/**
 * An outcome of a request: "2xx" and the like, "500", "503" with Retry-After, "balancer 503" (of HAProxy itself), "no
 * answer", or "cut" for a connection that broke.
 */
interface Failure {
  at: number;
  kind: string;
  what: string;
}

export type AnswerCounts = ReturnType<typeof createAnswers>;

export function createAnswers() {
  const counts = new Map<string, number>();
  /** The requests that did not succeed. */
  const failures: Failure[] = [];
  /**
   * Adds an outcome.
   * @param what The method and the path.
   */
  const add = (kind: string, what: string) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (!/^[234]xx$/.test(kind)) failures.push({ at: Date.now(), kind, what });
  };
  return {
    counts,
    failures,
    add,
    /** A `fetch` that counts. A body of more than 1 KB of a failed response is not read for its kind. */
    fetch: async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const url = new URL(input instanceof Request ? input.url : input);
      const what = `${init?.method ?? "GET"} ${url.pathname}`;
      const limit = AbortSignal.timeout(NO_ANSWER);
      const signal = init?.signal ? AbortSignal.any([limit, init.signal]) : limit;
      try {
        const answer = await fetch(input, { ...init, signal });
        add(kindOf(answer.status, answer.headers), what);
        return answer;
      } catch (error) {
        add(limit.aborted ? "no answer" : "cut", what);
        throw error;
      }
    },
  };
}

export function kindOf(status: number, headers: { get(name: string): string | null }) {
  if (status < 500) return `${Math.floor(status / 100)}xx`;
  // HAProxy's own responses are its pages, not ours.
  const isBalancer =
    headers.get("x-process") === null &&
    (headers.get("content-type") ?? "").startsWith("text/html");
  if (isBalancer) return `balancer ${status}`;
  return status === 503 && headers.get("retry-after") === null
    ? "503 without Retry-After"
    : String(status);
}

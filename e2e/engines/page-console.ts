/** Records the console of a page, in a browser that reports it to nobody. Both functions run in the page. */

interface Recording {
  problems?: string[];
}

/** Records errors, warnings, uncaught errors and violations of the policy from now on. */
export function recordProblems(): void {
  const found: string[] = [];
  (window as Recording).problems = found;
  for (const level of ["error", "warn"] as const) {
    const write = console[level].bind(console);
    console[level] = (...words: unknown[]) => {
      found.push(`${level}: ${words.map(String).join(" ")}`);
      write(...words);
    };
  }
  addEventListener("error", (event) => found.push(`uncaught: ${event.message}`));
  addEventListener("unhandledrejection", (event) =>
    found.push(`rejected: ${String(event.reason)}`),
  );
  document.addEventListener("securitypolicyviolation", (event) =>
    found.push(`refused: ${event.violatedDirective} ${event.blockedURI}`),
  );
}

/** Returns the problems that were recorded so far. */
export function recordedProblems(): readonly string[] {
  return (window as Recording).problems ?? [];
}

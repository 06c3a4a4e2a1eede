/** Tells the parent the port, and CPU time (µs) and memory (bytes) whenever it asks. */

export function report(port) {
  process.send({ port });
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    globalThis.gc?.();
    process.send({ cpu: user + system, rss: process.memoryUsage().rss });
  });
  process.on("disconnect", () => process.exit(0));
}

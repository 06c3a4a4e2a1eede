/** Reports the port, and CPU time (µs), memory (bytes) and `writes()` to sockets to the parent whenever it asks. */

export function report(port: number, writes = () => 0): void {
  process.send?.({ port });
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    globalThis.gc?.();
    process.send?.({ cpu: user + system, rss: process.memoryUsage().rss, writes: writes() });
  });
  process.on("disconnect", () => process.exit(0));
}

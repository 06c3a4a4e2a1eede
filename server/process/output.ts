/** The output of a command. */

import { fstatSync, writeSync } from "node:fs";

/**
 * Writes a text to stdout; resolves when all of it is written, since a pipe takes 10 MB in its own time, or when its
 * reader has closed the pipe, as `| head` does.
 */
export async function writeOut(text: string): Promise<void> {
  const { fd } = process.stdout;
  // Where the disk becomes full amid a text, Node.js itself would take the part that it wrote for all of it.
  if (fstatSync(fd).isFile()) {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    process.stdout.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "EPIPE" ? resolve() : reject(error),
    );
    process.stdout.write(text, (error) => {
      if (!error) resolve();
    });
  });
}

/** The output of a command. */

/**
 * Writes a text to stdout; resolves when all of it is written, since a pipe takes 10 MB in its own time, or when its
 * reader has closed the pipe, as `| head` does.
 */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "EPIPE" ? resolve() : reject(error),
    );
    process.stdout.write(text, (error) => {
      if (!error) resolve();
    });
  });
}

/**
 * Makes the stacks cheap that Playwright takes with each call and each step: it looks up a source for every frame, and
 * most frames are its own or Node.js's, which have none.
 */

const withSources = Error.prepareStackTrace?.bind(Error);

if (withSources !== undefined)
  Error.prepareStackTrace = (error, frames) => {
    const head = String(withSources(error, []));
    const lines = frames.map((frame) => {
      const file = frame.getFileName() ?? "node:";
      if (file.startsWith("node:")) return "";
      if (file.includes("/node_modules/"))
        return `\n    at ${file}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
      return String(withSources(error, [frame])).slice(head.length);
    });
    return head + lines.join("");
  };

/**
 * Stops with one clear line on a Node.js that is not supported (`engines` in package.json). It is imported first, and
 * free of anything that an old Node.js cannot parse: other modules are imported dynamically afterwards.
 */

const parts = process.versions.node.split(".").map(Number);
const major = parts[0] || 0;
const minor = parts[1] || 0;

if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
  console.error(
    "Inkpool needs Node.js 20.19, 22.12, 24 or newer; this is " + process.versions.node + ".",
  );
  process.exit(1);
}

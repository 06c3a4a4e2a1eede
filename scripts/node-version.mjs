/**
 * Stops with one clear line on a Node.js that is too old. Imported first, and free of anything that
 * an old Node.js cannot parse: what needs more is imported dynamically afterwards.
 */

const parts = process.versions.node.split(".").map(Number);
const major = parts[0] || 0;
const minor = parts[1] || 0;

if (major < 20 || (major === 20 && minor < 19)) {
  console.error("Inkpool needs Node.js 20.19 or newer; this is " + process.versions.node + ".");
  process.exit(1);
}

/** The headers that isolate the page from other origins. */

/**
 * Returns the page's Content-Security-Policy: nothing from elsewhere, except connections to the backend. `style-src`
 * allows inline styles since the toasts and popovers position themselves by them.
 * @param backends origins with http or https; each is allowed for WebSockets too
 * @param ancestors origins whose pages may show this one in a frame; none if empty
 */
export function contentSecurityPolicy(
  backends: readonly string[],
  ancestors: readonly string[] = [],
): string {
  const connect = backends.flatMap((origin) => [origin, origin.replace(/^http/, "ws")]);
  return [
    // It is for the manifest: WebKit has no manifest-src, and complains about it on the console.
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...connect].join(" ")}`,
    "font-src 'self'",
    "media-src 'none'",
    "object-src 'none'",
    "frame-src 'none'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length > 0 ? ancestors.join(" ") : "'none'"}`,
  ].join("; ");
}

/** The headers of every response. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** The headers of the page and its files, beyond the common ones. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "accelerometer=(), autoplay=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()",
  "x-frame-options": "DENY",
};

/**
 * Returns the headers of the page itself. `ancestors`: origins whose pages may show it in a frame; the policy names
 * them, since X-Frame-Options allows only none or the page's own origin.
 */
export function documentHeaders(ancestors: readonly string[]): Readonly<Record<string, string>> {
  const { "x-frame-options": _, ...withoutFrameOptions } = PAGE_HEADERS;
  return ancestors.length > 0 ? withoutFrameOptions : PAGE_HEADERS;
}

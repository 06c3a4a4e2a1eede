/** The headers that isolate the page from other origins. */

/**
 * The page's Content-Security-Policy: nothing from elsewhere, except connections to the backend.
 * `style-src` allows inline styles since the toasts and popovers position themselves by them.
 * @param backends origins with http or https; each is allowed for WebSockets too
 */
export function contentSecurityPolicy(backends: readonly string[]): string {
  const connect = backends.flatMap((origin) => [origin, origin.replace(/^http/, "ws")]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...connect].join(" ")}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** On every response. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** On the page and its files, beyond the common ones. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "accelerometer=(), autoplay=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()",
  "x-frame-options": "DENY",
};

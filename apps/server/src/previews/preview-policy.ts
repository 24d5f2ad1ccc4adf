/**
 * What a browser lets a previewed site do. It was made by an agent: it may run as it is, and it reaches
 * nothing but its own files. No other origin, no frame, no device of the visitor.
 */
const POLICY = [
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads",
].join("; ");

const ALL = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy":
    "camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=(), bluetooth=(), midi=(), payment=()",
} as const;

/**
 * `own`: it has a host name of its own, and with it a storage of its own. `shared`: other sites have the same
 * host name, so it is kept from them and from every cookie as a site without an origin. Such a site asks for its
 * own modules and fonts as a stranger.
 */
export type PreviewPlace = "own" | "shared";

export function previewHeaders(place: PreviewPlace): Readonly<Record<string, string>> {
  return place === "own"
    ? {
        ...ALL,
        "content-security-policy": `${POLICY} allow-same-origin`,
        "cross-origin-resource-policy": "same-origin",
      }
    : { ...ALL, "content-security-policy": POLICY, "access-control-allow-origin": "null" };
}

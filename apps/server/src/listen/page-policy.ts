/**
 * The Content-Security-Policy of a page: everything from our own origin and nothing else. Scripts written
 * into the page itself run only by their hash, so text that slips into it later does not.
 */
import { createHash } from "node:crypto";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script>/gi;

/** Where a page's styles may be: in files only, or also written into it and set as it goes. */
export type Styles = "in-files" | "anywhere";

export function pagePolicy(html: string, styles: Styles): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(([, script = ""]) => hashOf(script));
  return [
    "default-src 'self'",
    `script-src ${["'self'", ...hashes].join(" ")}`,
    styles === "in-files" ? "style-src 'self'" : "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "connect-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashOf(script: string): string {
  // Browsers hash what they parsed, and parsing makes every line end the same.
  const parsed = script.replaceAll(/\r\n?/g, "\n");
  return `'sha256-${createHash("sha256").update(parsed).digest("base64")}'`;
}

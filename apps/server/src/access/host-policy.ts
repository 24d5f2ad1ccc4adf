/**
 * Host and Origin are checked before anything else is read, on every request and every
 * upgrade, so that a page on another site can neither rebind a name to us nor open a socket in a
 * visitor's browser.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

export interface HostPolicy {
  /** Names besides localhost and IP addresses under which this server may be called. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

export interface HostRefusal {
  readonly status: 400 | 403;
  readonly code: "host.foreign" | "origin.foreign";
  readonly reason: string;
}

export function checkHostAndOrigin(
  request: IncomingMessage,
  rules: HostPolicy,
): HostRefusal | undefined {
  const { host, origin } = request.headers;
  if (host === undefined) return badHost(400, "the Host header is missing");
  const name = hostName(host);
  if (name === undefined) return badHost(400, `cannot read the Host header: ${host}`);
  if (!isOwnName(name) && !rules.allowedHosts.includes(name)) {
    return badHost(403, `host not allowed: ${name} (add it to allowedHosts)`);
  }
  if (origin === undefined || rules.allowedOrigins.includes(origin)) return undefined;
  if (URL.parse(origin)?.host === host.toLowerCase()) return undefined;
  const reason = `origin not allowed: ${origin} (add it to allowedOrigins)`;
  return { status: 403, code: "origin.foreign", reason };
}

function badHost(status: HostRefusal["status"], reason: string): HostRefusal {
  return { status, code: "host.foreign", reason };
}

/** Of a Host header, without the port. */
export function hostName(host: string): string | undefined {
  return URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, "");
}

/** A name that cannot be rebound: an address itself, or one that always means this machine. */
function isOwnName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isIP(name) !== 0;
}

/** Reads the credential of a request: a token, or the two halves of a browser's login. */
import type { IncomingMessage } from "node:http";

export type PresentedCredential =
  | { readonly kind: "token"; readonly token: string }
  /** The half that scripts cannot read, and the half that only the page has. */
  | { readonly kind: "browser"; readonly cookie: string; readonly page: string | undefined };

const PAGE_HEADER = "x-atrium-page";
/** A page cannot add headers to a WebSocket, only subprotocols; the first of them is the one in use. */
export const PAGE_PROTOCOL = "atrium";
const PAGE_SECRET_PROTOCOL = /^atrium\.page\.([\w-]+)$/;
const SECURE_PREFIX = "__Host-";
const BASIC = /^Basic +(\S+)$/i;
const BEARER = /^Bearer +(\S+)$/i;

export type ReadCredential = (request: IncomingMessage) => PresentedCredential | undefined;

/** `cookieName` is null when no token is needed. */
export function createReadCredential(cookieName: string | null): ReadCredential {
  return (request) => {
    const token = bearerOf(request);
    if (token !== undefined) return { kind: "token", token };
    return halvesOf(request, cookieName);
  };
}

export function bearerOf({ headers }: IncomingMessage): string | undefined {
  return BEARER.exec(headers.authorization ?? "")?.[1];
}

/** For programs that can only send a name and a password: any name, and the token as the password. */
export function createReadBasic(read: ReadCredential): ReadCredential {
  return (request) => {
    const [, packed] = BASIC.exec(request.headers.authorization ?? "") ?? [];
    if (packed === undefined) return read(request);
    const pair = Buffer.from(packed, "base64").toString("utf8");
    return { kind: "token", token: pair.slice(pair.indexOf(":") + 1) };
  };
}

export function halvesOf(
  request: IncomingMessage,
  cookieName: string | null,
): Extract<PresentedCredential, { readonly kind: "browser" }> | undefined {
  const cookie = cookieName === null ? undefined : cookieOf(request, cookieName);
  return cookie === undefined ? undefined : { kind: "browser", cookie, page: pageOf(request) };
}

/** Over TLS no other host or path can set it. */
export function cookieNameOver(isSecure: boolean, name: string): string {
  return isSecure ? `${SECURE_PREFIX}${name}` : name;
}

function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  for (const part of (headers.cookie ?? "").split(";")) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name || key === cookieNameOver(true, name)) return value;
  }
  return undefined;
}

function pageOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers[PAGE_HEADER];
  if (typeof sent === "string" && sent !== "") return sent;
  for (const protocol of (headers["sec-websocket-protocol"] ?? "").split(",")) {
    const [, secret] = PAGE_SECRET_PROTOCOL.exec(protocol.trim()) ?? [];
    if (secret !== undefined) return secret;
  }
  return undefined;
}

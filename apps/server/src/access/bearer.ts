/** The shared token as plain HTTP carries it. */
import type { IncomingMessage } from "node:http";
import { isSameSecret } from "./secrets.ts";

const BEARER = /^Bearer +(\S+)$/i;

export function bearerOf(request: IncomingMessage): string | undefined {
  return BEARER.exec(request.headers.authorization ?? "")?.[1];
}

/** False when there is no token to have. */
export function hasBearer(request: IncomingMessage, token: string | null): boolean {
  const given = bearerOf(request);
  return given !== undefined && token !== null && isSameSecret(given, token);
}

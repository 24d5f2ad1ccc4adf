/** The shared token as plain HTTP carries it. */
import type { IncomingMessage } from "node:http";
import { isSameSecret } from "./secrets.ts";

const BEARER = /^Bearer +(\S+)$/i;

/** False when there is no token to have. */
export function hasBearer(request: IncomingMessage, token: string | null): boolean {
  const given = BEARER.exec(request.headers.authorization ?? "")?.[1];
  return given !== undefined && token !== null && isSameSecret(given, token);
}

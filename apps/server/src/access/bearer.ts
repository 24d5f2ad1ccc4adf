/** The shared token as plain HTTP carries it. */
import type { IncomingMessage } from "node:http";

const BEARER = /^Bearer +(\S+)$/i;

export function bearerOf(request: IncomingMessage): string | undefined {
  return BEARER.exec(request.headers.authorization ?? "")?.[1];
}

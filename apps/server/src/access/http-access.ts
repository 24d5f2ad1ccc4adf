/**
 * Who may use what is served over plain HTTP: whoever has the shared token, or, where none is asked for,
 * whoever is on this machine. Wrong tokens cost the same tries as on the gateway's socket.
 */
import type { IncomingMessage } from "node:http";
import type { Attempts } from "./attempts.ts";
import { bearerOf } from "./bearer.ts";
import { isSameSecret } from "./secrets.ts";

export interface Denied {
  readonly status: 401 | 429;
  readonly reason: string;
  /** Zero: waiting does not help. */
  readonly waitMs: number;
}

export type HttpAccess = (request: IncomingMessage) => Denied | undefined;

export interface HttpAccessDeps {
  /** Null when everyone on this machine may come in. */
  readonly token: string | null;
  readonly attempts: Attempts;
  readonly isFromThisMachine: (request: IncomingMessage) => boolean;
}

export function createHttpAccess(deps: HttpAccessDeps): HttpAccess {
  const { token, attempts } = deps;
  return (request) => {
    if (token === null) {
      return deps.isFromThisMachine(request) ? undefined : denied("only this machine may ask");
    }
    const given = bearerOf(request);
    if (given === undefined) return denied("send the token as Authorization: Bearer");
    const address = request.socket.remoteAddress ?? "unknown";
    const waitMs = attempts.waitMs(address);
    if (waitMs > 0) return { status: 429, reason: "too many wrong tokens; wait", waitMs };
    if (isSameSecret(given, token)) return undefined;
    attempts.failed(address);
    return denied("wrong token");
  };
}

function denied(reason: string): Denied {
  return { status: 401, reason, waitMs: 0 };
}

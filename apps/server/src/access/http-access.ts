/** The doorkeeper for plain HTTP. */
import type { IncomingMessage } from "node:http";
import type { Principal } from "./credential.ts";
import type { Denied, Doorkeeper } from "./doorkeeper.ts";

export type HttpAccess = (request: IncomingMessage) => Principal | Denied;

export interface HttpAccessDeps {
  readonly doorkeeper: Doorkeeper;
  readonly shownBy: (request: IncomingMessage) => string | undefined;
  readonly isFromThisMachine: (request: IncomingMessage) => boolean;
}

export function createHttpAccess(deps: HttpAccessDeps): HttpAccess {
  return (request) =>
    deps.doorkeeper({
      address: request.socket.remoteAddress ?? "unknown",
      isLocal: deps.isFromThisMachine(request),
      shown: deps.shownBy(request),
    });
}

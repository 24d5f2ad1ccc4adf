/** The doorkeeper for plain HTTP. */
import type { IncomingMessage } from "node:http";
import type { IsOfAgent } from "./agent-processes.ts";
import type { Principal } from "./credential.ts";
import type { Denied, Doorkeeper } from "./doorkeeper.ts";
import type { OriginOf } from "./request-origin.ts";

/** `door` is what the journal calls it. */
export type HttpAccess = (request: IncomingMessage, door?: string) => Principal | Denied;

export interface HttpAccessDeps {
  readonly doorkeeper: Doorkeeper;
  readonly shownBy: (request: IncomingMessage) => string | undefined;
  readonly originOf: OriginOf;
  readonly isOfAgent: IsOfAgent;
}

export function createHttpAccess(deps: HttpAccessDeps): HttpAccess {
  const { doorkeeper, shownBy, originOf } = deps;
  return (request, door = "http") => {
    const { address, isLocal } = originOf(request);
    const isOfAgent = (): boolean => deps.isOfAgent(request.socket);
    return doorkeeper({ address, isLocal, isOfAgent, door, shown: shownBy(request) });
  };
}

/** The doorkeeper for plain HTTP. */
import type { IncomingMessage } from "node:http";
import type { Principal } from "./credential.ts";
import type { Denied, Doorkeeper } from "./doorkeeper.ts";
import type { OriginOf } from "./request-origin.ts";

/** `door` is what the journal calls it. */
export type HttpAccess = (request: IncomingMessage, door?: string) => Principal | Denied;

export interface HttpAccessDeps {
  readonly doorkeeper: Doorkeeper;
  readonly shownBy: (request: IncomingMessage) => string | undefined;
  readonly originOf: OriginOf;
}

export function createHttpAccess({ doorkeeper, shownBy, originOf }: HttpAccessDeps): HttpAccess {
  return (request, door = "http") => {
    const { address, isLocal } = originOf(request);
    return doorkeeper({ address, isLocal, door, shown: shownBy(request) });
  };
}

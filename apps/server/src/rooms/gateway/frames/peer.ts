/** An admitted peer, as the gateway's methods and events see it. */
import type { Author } from "@atrium/core";
import type { Contract } from "@atrium/wire";
import type { ConnectParams } from "@atrium/wire/gateway";
import type { Credential, Principal } from "../../../access/principal.ts";
import {
  implement,
  type Caller,
  type Handler,
  type Method,
} from "../../../pipeline/method-router.ts";
import type { Peer } from "../../../sockets/peer.ts";

export interface GatewayPeer {
  readonly peer: Peer;
  readonly params: ConnectParams;
  readonly admission: Admission;
  readonly principal: Principal;
  readonly scopes: ReadonlySet<string>;
  /** The capabilities that the client declared. */
  readonly caps: ReadonlySet<string>;
}

export interface GatewayCaller extends Caller {
  readonly member: GatewayPeer;
}

export type GatewayMethod = Method<GatewayCaller>;

/** `implement`, for a handler that knows which of the gateway's peers is calling. */
export const serve: <C extends Contract>(
  contract: C,
  handler: Handler<C, GatewayCaller>,
) => GatewayMethod = implement;

/** The author of this peer's messages. */
export function authorOf({ params: { client }, principal: { credential } }: GatewayPeer): Author {
  return {
    clientId: client.id,
    clientMode: client.mode,
    name: client.displayName ?? null,
    ...(credential.kind === "device" && { userId: credential.deviceId }),
  };
}

export interface Admission {
  readonly protocol: number;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly credential: Credential;
  readonly deviceId?: string;
  readonly deviceToken?: string;
  readonly issuedAtMs?: number;
  /** Of the role's token when the device was admitted. */
  readonly generation?: number;
  /** It presented its own token, not the shared one. */
  readonly isByDeviceToken?: boolean;
}

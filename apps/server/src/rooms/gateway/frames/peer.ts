/** A peer that is in, as the gateway's methods and events know it. */
import { type Author } from "@atrium/core";
import { type ConnectParams } from "@atrium/wire/gateway";
import type { Principal } from "../../../access/principal.ts";
import type { Credential } from "../../../access/principal.ts";
import { type CallContext, type Caller } from "../../../pipeline/method-router.ts";
import { type Peer } from "../../../sockets/peer.ts";

/** A peer that is in, and how it introduced itself. */
export interface GatewayPeer {
  readonly peer: Peer;
  readonly params: ConnectParams;
  readonly admission: Admission;
  readonly principal: Principal;
  readonly scopes: ReadonlySet<string>;
  /** What the client said it can take. */
  readonly caps: ReadonlySet<string>;
}

/** Who is asking, as the gateway's methods see it. */
export interface GatewayCaller extends Caller {
  readonly member: GatewayPeer;
}

export type GatewayContext = CallContext<GatewayCaller>;

/** Who says what this peer says. */
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
  /** By what it came in. */
  readonly credential: Credential;
  readonly deviceId?: string;
  readonly deviceToken?: string;
  readonly issuedAtMs?: number;
  /** Of the role's token when the device was let in. */
  readonly generation?: number;
  /** It came by its own token, not by the one everybody shares. */
  readonly isByDeviceToken?: boolean;
}

/** Another room, as the gateway sees it: methods to serve here, and events to tell. It knows no more of it. */
import type { GatewayMethod } from "./frames/peer.ts";
import type { GatewayEgress } from "./outbound/egress.ts";

export interface GatewayExtension {
  readonly methods: readonly GatewayMethod[];
  /** Called once, with the way to tell everyone. */
  readonly tell: (egress: Pick<GatewayEgress, "publish">) => void;
}

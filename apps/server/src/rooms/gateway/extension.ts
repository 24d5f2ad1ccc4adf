/** Another room whose methods are served and whose events are published at the gateway. */
import type { GatewayMethod } from "./frames/peer.ts";
import type { GatewayEgress } from "./outbound/egress.ts";

export interface GatewayExtension {
  readonly methods: readonly GatewayMethod[];
  /** Called once, with where to publish. */
  readonly connect: (egress: Pick<GatewayEgress, "publish">) => void;
}

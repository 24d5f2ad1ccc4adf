/** What the stores here need of a gateway client. */
import type { GatewayClient } from "@atrium/client";

export type GatewayConnection = Pick<GatewayClient, "call" | "onEvent" | "onState" | "onGap">;

/** Another room, as the gateway sees it: methods to serve here, and events to tell. It knows no more of it. */
import type { Method } from "../room.ts";
import type { Egress } from "./egress.ts";
import type { GatewayCaller } from "./session.ts";

export interface Guest {
  readonly methods: readonly Method<GatewayCaller>[];
  /** Called once, with the way to tell everyone. */
  readonly tell: (egress: Pick<Egress, "publish">) => void;
}

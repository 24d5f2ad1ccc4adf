/** Operators and nodes share only the methods that need no scope. */
import { refuse } from "@atrium/core";
import { NODE_SCOPE } from "@atrium/wire/gateway";
import type { CallMethod } from "../../../pipeline/method-router.ts";
import type { GatewayCaller, GatewayMethod } from "../frames/peer.ts";

export function guardRoles(
  call: CallMethod<GatewayCaller>,
  methods: readonly GatewayMethod[],
): CallMethod<GatewayCaller> {
  const scopes = new Map(methods.map(({ contract }) => [contract.name, contract.scope]));
  return (name, params, caller) => {
    const { role } = caller.member.admission;
    const scope = scopes.get(name) ?? null;
    const isForeign = scope !== null && (scope === NODE_SCOPE) !== (role === "node");
    return isForeign ? refuse("role.wrong", role) : call(name, params, caller);
  };
}

/**
 * Gateway wire: what a connected peer may do. Default is nothing.
 */
export const GATEWAY_SCOPES = [
  "operator.read",
  "operator.write",
  "operator.admin",
  "operator.approvals",
  "operator.questions",
  "operator.pairing",
  "operator.talk",
  "operator.talk.secrets",
] as const;
export type GatewayScope = (typeof GATEWAY_SCOPES)[number];

/** What nodes hold instead of an operator's scopes. Comes with the role; no one can be granted it. */
export const NODE_SCOPE = "node";

const KNOWN: ReadonlySet<string> = new Set(GATEWAY_SCOPES);

export function isGatewayScope(name: string): name is GatewayScope {
  return KNOWN.has(name);
}

/** Everything that holding `granted` amounts to: admin is all, write includes read and talk. */
export function effectiveScopes(granted: Iterable<string>): ReadonlySet<GatewayScope> {
  const scopes = new Set<GatewayScope>();
  for (const name of granted) {
    if (!isGatewayScope(name)) continue;
    if (name === "operator.admin") return new Set(GATEWAY_SCOPES);
    scopes.add(name);
    if (name === "operator.write") scopes.add("operator.read").add("operator.talk");
  }
  return scopes;
}

/** What a node says it can do, and whether that is more than someone has agreed to. */

export interface NodeOffer {
  readonly caps: readonly string[];
  readonly commands: readonly string[];
  /** What the node's own system lets it do, where it says so. */
  readonly permissions: Readonly<Record<string, boolean>>;
}

/** The same offer always looks the same: sorted, and nothing twice. */
export function readSurface(declared: Partial<NodeOffer>): NodeOffer {
  const { caps = [], commands = [], permissions = {} } = declared;
  const byName = Object.entries(permissions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    caps: [...new Set(caps)].toSorted(),
    commands: [...new Set(commands)].toSorted(),
    permissions: Object.fromEntries(byName),
  };
}

export function isWider(declared: NodeOffer, approved: NodeOffer): boolean {
  const agreed = new Map(Object.entries(approved.permissions));
  return (
    declared.commands.some((command) => !approved.commands.includes(command)) ||
    declared.caps.some((cap) => !approved.caps.includes(cap)) ||
    Object.entries(declared.permissions).some(
      ([name, isHeld]) => isHeld && agreed.get(name) !== true,
    )
  );
}

export function isSameSurface(one: NodeOffer, other: NodeOffer): boolean {
  return JSON.stringify(readSurface(one)) === JSON.stringify(readSurface(other));
}

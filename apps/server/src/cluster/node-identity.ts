/** Who this node is among the others: the name that the settings give it, or one that its home keeps. */
import { randomUUID } from "node:crypto";
import type { NodeIdentity } from "@atrium/log";

const MAX_HOST_CHARACTERS = 48;

export function nodeIdentity(
  name: string | undefined,
  hostname: string,
  /** A secret-sized text that stays the same for as long as the home does. */
  keptId: () => string,
): NodeIdentity {
  return { id: name ?? defaultName(hostname, keptId()), life: randomUUID() };
}

/** Names of nodes have no dots and no spaces, because subjects of the bus are made of them. */
function defaultName(hostname: string, id: string): string {
  const host = hostname.replaceAll(/[^A-Za-z0-9_-]+/g, "-").slice(0, MAX_HOST_CHARACTERS);
  return `${host === "" ? "node" : host}-${id.slice(0, 6)}`;
}

/** Who a server says is connected, to it or to another node. */
import type { Connected } from "./raw-peer.ts";

export async function namesAt(peer: Connected): Promise<readonly string[]> {
  const present: readonly { host: string; mode: string }[] = await peer.ask("system-presence", {});
  return present.filter(({ mode }) => mode !== "gateway").map(({ host }) => host);
}

/** Links from other nodes' copies, for what the chain has lost or damaged. The hash proves them. */
import type { Bus } from "./bus.ts";
import type { Copy } from "./copy/copy.ts";

const LINKS = "log.link";
const TIMEOUT_MS = 1000;

export function askForLink(bus: Bus, n: number): Promise<Uint8Array | undefined> {
  return bus.request(LINKS, Buffer.from(`${n}`), TIMEOUT_MS).catch(() => undefined);
}

/** Answers other nodes; whoever has nothing stays silent, because the first answer is the only one. */
export function offerLinks(bus: Bus, copy: Copy): Disposable {
  return bus.subscribe(LINKS, (bytes, reply) => {
    const n = Number(Buffer.from(bytes).toString());
    const link = copy.isClosed || !Number.isSafeInteger(n) ? undefined : copy.findLink(n);
    if (link !== undefined) reply?.(link);
  });
}

/** Several nodes in one process, each with its own way to the chain and its own copy in a file. */
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openChainLog, type ChainLogOptions } from "../chain-log.ts";
import type { Chain } from "../chain.ts";
import type { ClusterLog } from "../cluster-log.ts";
import { createMemoryBus } from "../memory-bus.ts";
import { createMemoryChain } from "../memory-chain.ts";
import { BreakableChain } from "./breakable-chain.ts";

export interface TestNode {
  readonly log: ClusterLog;
  readonly chain: BreakableChain;
  readonly copyFile: string;
}

export class ChainNodes implements AsyncDisposable {
  readonly chain: Chain = createMemoryChain();
  readonly bus = createMemoryBus();
  readonly #folder = mkdtempDisposableSync(join(tmpdir(), "atrium-chain-"));
  readonly #logs: ClusterLog[] = [];
  #lives = 0;

  fileOf(id: string): string {
    return join(this.#folder.path, id, "chain.db");
  }

  async open(id: string, options: Partial<ChainLogOptions> = {}): Promise<TestNode> {
    const chain = new BreakableChain(this.chain);
    const node = { id, life: `life ${++this.#lives}` };
    const copyFile = this.fileOf(id);
    const log = await openChainLog({ chain, bus: this.bus, node, copyFile, ...options });
    this.#logs.push(log);
    return { log, chain, copyFile };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const log of this.#logs) await log.close();
    this.#folder.remove();
  }
}

/** Resolves once it is so; throws after half a minute. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 30_000;
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error(`it never came to be: ${isSo.toString()}`);
    await wait(20);
  }
}

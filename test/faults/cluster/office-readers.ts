/** People who look at the office at every node, all the time: whatever is lost, whoever serves goes on serving reads. */
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeProcess } from "../../kit/cluster-processes.ts";

const PAUSE_MS = 50;

interface NodeReads {
  readonly node: NodeProcess;
  readonly lives: number;
  readonly failures: string[];
  count: number;
}

export class OfficeReaders implements Disposable {
  readonly #reads: readonly NodeReads[];
  readonly #readers: Promise<unknown>;
  #isEnding = false;

  constructor(nodes: readonly (readonly [node: NodeProcess, lives: number])[]) {
    this.#reads = nodes.map(([node, lives]) => ({ node, lives, failures: [], count: 0 }));
    this.#readers = Promise.all(this.#reads.map((reads) => this.#read(reads)));
  }

  static async open(nodes: readonly NodeProcess[]): Promise<OfficeReaders> {
    const all = nodes.map(async (node) => [node, await livesOf(node)] as const);
    return new OfficeReaders(await Promise.all(all));
  }

  /**
   * How many reads there were at these nodes, and those that failed. A node that lost the lease opens anew, and says
   * so: it is away for that moment, and its failures do not count.
   */
  async close(
    nodes: readonly NodeProcess[],
  ): Promise<{ readonly count: number; readonly failures: readonly string[] }> {
    this.#isEnding = true;
    await this.#readers;
    const judged: NodeReads[] = [];
    for (const reads of this.#reads) {
      const { node, lives } = reads;
      if (nodes.includes(node) && (await livesOf(node)) === lives) judged.push(reads);
    }
    return {
      count: judged.reduce((sum, { count }) => sum + count, 0),
      failures: judged.flatMap(({ failures }) => failures),
    };
  }

  [Symbol.dispose](): void {
    this.#isEnding = true;
  }

  async #read(reads: NodeReads): Promise<void> {
    const { node, failures } = reads;
    const headers = { authorization: `Bearer ${node.token}` };
    while (!this.#isEnding) {
      try {
        const response = await fetch(new URL("/api/office", node.url), { headers });
        await response.arrayBuffer();
        if (response.status === 200) reads.count++;
        else failures.push(`${node.name} answered ${response.status}`);
      } catch (error) {
        failures.push(`${node.name}: ${String(error)}`);
      }
      await sleep(PAUSE_MS);
    }
  }
}

/** How often it has opened anew. */
async function livesOf(node: NodeProcess): Promise<number> {
  return (await node.journal()).split("lost the lease").length;
}

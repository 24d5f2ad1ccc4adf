/**
 * JSON-RPC over the standard streams of a program, one message per line: what ACP and MCP both speak.
 * Written by hand, so that no library of ours agrees with theirs by accident.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";

export interface Notification {
  readonly method: string;
  // What a program said is looked into as it came.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly params: any;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface JsonRpc {
  /** What it told us without being asked, in order. */
  readonly heard: readonly Notification[];
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  request(method: string, params: unknown): Promise<any>;
  notify(method: string, params?: unknown): void;
  /** Resolves once something it said makes this true. */
  hears(isSo: () => boolean): Promise<void>;
}

export function speakJsonRpc(child: ChildProcessWithoutNullStreams): JsonRpc {
  const heard: Notification[] = [];
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const waiting = new Map<number | string, PromiseWithResolvers<unknown>>();
  const watchers = new Set<() => void>();
  let errors = "";
  let lastId = 0;
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };

  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.once("exit", (code) => {
    const gone = new Error(`the program ended with ${code}: ${errors}`);
    failed.reject(gone);
    for (const { reject } of waiting.values()) reject(gone);
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, method, params, result, error } = JSON.parse(line) as Message;
    if (method !== undefined) {
      heard.push({ method, params });
      for (const look of watchers) look();
      if (id !== undefined) send({ id, error: { code: -32601, message: "not offered" } });
      return;
    }
    const asked = waiting.get(id ?? "");
    waiting.delete(id ?? "");
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(`${error.message} (${error.code})\n${errors}`));
  });

  return {
    heard,
    request(method, params) {
      const asked = Promise.withResolvers<unknown>();
      waiting.set(++lastId, asked);
      send({ id: lastId, method, params });
      return asked.promise;
    },
    async hears(isSo) {
      const so = Promise.withResolvers<void>();
      const look = (): void => {
        if (isSo()) so.resolve();
      };
      watchers.add(look);
      look();
      await Promise.race([so.promise, failed.promise]).finally(() => watchers.delete(look));
    },
    notify: (method, params) => send({ method, ...(params !== undefined && { params }) }),
  };
}

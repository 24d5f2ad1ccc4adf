/**
 * A host for tests. Its clock is virtual (sleeping moves it, at once) or real, and then as much faster
 * than the wall's as the test likes.
 */
import { setImmediate, setTimeout } from "node:timers/promises";
import type {
  PermissionAnswer,
  PermissionRequest,
  ToolDeclaration,
  ToolResult,
  TurnHost,
  TurnQuestion,
} from "../turn/agent-runtime.ts";

export interface TestHostOptions {
  /** Left out: virtual. Else how many of the host's milliseconds pass in one real one. */
  readonly speed?: number | undefined;
  readonly tools?: readonly ToolDeclaration[];
  readonly callTool?: (name: string, input: unknown) => Promise<ToolResult>;
  readonly ask?: (question: TurnQuestion, signal?: AbortSignal) => Promise<string | null>;
  readonly requestPermission?: (
    request: PermissionRequest,
    signal?: AbortSignal,
  ) => Promise<PermissionAnswer>;
}

export interface TestHost extends TurnHost {
  readonly sleeps: readonly number[];
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  /** What people have added and nobody has taken. */
  readonly steering: string[];
  readonly taken: readonly string[];
  abort(): void;
}

const START = Date.UTC(2026, 0, 1);

export function createTestHost(options: TestHostOptions = {}): TestHost {
  const { speed } = options;
  const controller = new AbortController();
  const started = performance.now();
  const sleeps: number[] = [];
  const calls: { name: string; input: unknown }[] = [];
  const steering: string[] = [];
  const taken: string[] = [];
  let virtualMs = 0;
  return {
    signal: controller.signal,
    tools: options.tools ?? [],
    sleeps,
    calls,
    steering,
    taken,
    now: () =>
      START + Math.floor(speed === undefined ? virtualMs : (performance.now() - started) * speed),
    async sleep(ms, signal) {
      sleeps.push(ms);
      const either =
        signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]);
      either.throwIfAborted();
      if (speed === undefined) {
        await setImmediate();
        either.throwIfAborted();
        virtualMs += ms;
      } else {
        await setTimeout(ms / speed, undefined, { signal: either });
      }
    },
    async callTool(name, input) {
      calls.push({ name, input });
      if (options.callTool !== undefined) return options.callTool(name, input);
      return { text: `${name} knows nothing`, isError: false };
    },
    ask: options.ask ?? (() => Promise.resolve(null)),
    requestPermission: options.requestPermission ?? (() => Promise.resolve("expired")),
    takeSteering() {
      const now = steering.splice(0);
      taken.push(...now);
      return now;
    },
    // A reason need not be an error.
    abort: () => controller.abort({ why: "enough" }),
  };
}

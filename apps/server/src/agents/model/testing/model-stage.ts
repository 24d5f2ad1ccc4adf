/** A turn of a model against a real HTTP server that behaves as a test wants. */
import assert from "node:assert/strict";
import type { Behavior } from "../../../../../../test/kit/model-server/behavior.ts";
import {
  openModelServer,
  type ModelRequest,
} from "../../../../../../test/kit/model-server/model-server.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../../testing/test-host.ts";
import { eventsOf, turnOf } from "../../testing/turns.ts";
import type { Turn, TurnEvent } from "../../turn/agent-runtime.ts";
import type { ModelSettings } from "../model-settings.ts";
import { createModelRuntime } from "../model.ts";

export type Provider = ModelSettings["provider"];

export const PROVIDERS = ["openai-compatible", "anthropic"] as const;
export const KEY = "sk-secret-key-123";
export const USAGE = { inputTokens: 11, outputTokens: 7 };
export const LOOKUP = {
  name: "tide.lookup",
  description: "Looks up a tide.",
  input: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
};

export interface PlayedTurn {
  readonly events: TurnEvent[];
  readonly host: TestHost;
  readonly requests: readonly ModelRequest[];
}

export interface Scene extends TestHostOptions {
  readonly settings?: Partial<ModelSettings>;
  readonly turn?: Partial<Turn>;
  readonly prepare?: (host: TestHost) => void;
}

export interface ModelStage {
  readonly settingsFor: (baseUrl: string, more?: Partial<ModelSettings>) => ModelSettings;
  /** Plays a turn against a server that behaves so, request by request. */
  readonly play: (behaviors: readonly Behavior[], scene?: Scene) => Promise<PlayedTurn>;
}

export function modelStage(provider: Provider): ModelStage {
  const settingsFor = (baseUrl: string, more: Partial<ModelSettings> = {}): ModelSettings => ({
    provider,
    baseUrl,
    model: "test-model",
    apiKey: KEY,
    ...more,
  });
  return {
    settingsFor,
    async play(behaviors, scene = {}) {
      await using server = await openModelServer();
      server.queue.push(...behaviors);
      const host = createTestHost({ speed: 100, ...scene });
      scene.prepare?.(host);
      // At this speed the host's seconds are short; a server on a busy machine is slower.
      const generous = { firstByteTimeoutMs: 1_000_000_000, idleTimeoutMs: 1_000_000_000 };
      const settings = settingsFor(server.baseUrl, { ...generous, ...scene.settings });
      const runtime = createModelRuntime("local", settings);
      const events = await eventsOf(runtime, turnOf("Hello?", scene.turn), host);
      if (!events.some(({ type }) => type === "failed")) await server.idle();
      return { events, host, requests: server.requests };
    },
  };
}

export function failureIn(events: readonly TurnEvent[]): { kind: string; reason: string } {
  const last = events.at(-1);
  assert.ok(last?.type === "failed", JSON.stringify(last));
  assert.ok(!last.reason.includes(KEY), last.reason);
  return last;
}

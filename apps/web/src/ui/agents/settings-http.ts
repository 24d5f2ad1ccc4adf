/** The server's settings over plain HTTP, and one short turn to try them. */
import type { CallResult } from "@atrium/client";
import { fieldOf, type FetchJson, type JsonResponse } from "../../app/server/fetch-json.ts";

export type SettingsView = CallResult<"settings.get">;
type Changed = CallResult<"settings.patch">;

export interface Member {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly role: string;
  readonly runtime: string;
  /** Empty: as its runtime says. */
  readonly permissions: string;
  /** What one run may take. */
  readonly run: RunLimits;
  readonly desk: number | undefined;
  readonly look: number | undefined;
}

export interface RunLimits {
  /** In US dollars. */
  readonly cost: number | undefined;
  readonly tokens: number | undefined;
}

export interface SettingsHttp {
  read(): Promise<JsonResponse<SettingsView>>;
  patch(patch: object, unitePaths?: readonly string[]): Promise<JsonResponse<Changed>>;
  /** The key goes to the server and is never read again. */
  keepKey(name: string, value: string): Promise<JsonResponse<unknown>>;
  removeKey(name: string): Promise<JsonResponse<unknown>>;
  takeTestTurn(handle: string): Promise<JsonResponse<TestTurn>>;
}

export interface TestTurn {
  /** What the agent answered. */
  readonly text: string;
  /** What it took, if the agent counts them. */
  readonly tokens: number | undefined;
  /** In US dollars, if it is known. */
  readonly cost: number | undefined;
}

const TEST_MESSAGE = "Say hello in one short sentence. Use no tools.";

export function createSettingsHttp(ask: FetchJson): SettingsHttp {
  return {
    read: () => ask<SettingsView>("GET", "/api/settings"),
    patch: (patch, unitePaths) =>
      ask<Changed>("PATCH", "/api/settings", { patch, ...(unitePaths && { unitePaths }) }),
    keepKey: (name, value) =>
      ask("PUT", `/api/settings/keys/${encodeURIComponent(name)}`, { value }),
    removeKey: (name) => ask("DELETE", `/api/settings/keys/${encodeURIComponent(name)}`),
    async takeTestTurn(handle) {
      const answer = await ask<unknown>("POST", "/v1/chat/completions", {
        model: `atrium/${handle}`,
        messages: [{ role: "user", content: TEST_MESSAGE }],
        user: "connect-test",
      });
      if (!answer.ok) return answer;
      const [choice] = listIn(answer.value, "choices");
      const content = fieldOf(fieldOf(choice, "message"), "content");
      const usage = fieldOf(answer.value, "usage");
      const tokens = numberIn(usage, "total_tokens");
      const cost = numberIn(usage, "cost");
      const text = typeof content === "string" ? content : "";
      return { ok: true, value: { text, tokens: tokens === 0 ? undefined : tokens, cost } };
    },
  };
}

export function membersIn({ values }: SettingsView): readonly Member[] {
  return listIn(values, "crew").map((row) => ({
    id: textIn(row, "id"),
    handle: textIn(row, "handle"),
    name: textIn(row, "name"),
    role: textIn(row, "role"),
    runtime: textIn(row, "runtime"),
    permissions: textIn(row, "permissions"),
    run: runLimitsIn(fieldOf(row, "limits")),
    desk: numberIn(row, "desk"),
    look: numberIn(row, "look"),
  }));
}

/** Of everyone who has none of their own. */
export function budgetIn({ values }: SettingsView): RunLimits {
  return runLimitsIn(fieldOf(values, "budgets"));
}

function runLimitsIn(limits: unknown): RunLimits {
  const run = fieldOf(limits, "run");
  return { cost: numberIn(run, "cost"), tokens: numberIn(run, "tokens") };
}

export function runtimesIn({ values }: SettingsView): readonly string[] {
  const runtimes = fieldOf(values, "runtimes");
  return typeof runtimes === "object" && runtimes !== null ? Object.keys(runtimes) : [];
}

/** Which programs' sessions are read, by the name of each. */
export function sightingsIn({ values }: SettingsView): ReadonlyMap<string, boolean> {
  const sightings = fieldOf(values, "sightings");
  const all = typeof sightings === "object" && sightings !== null ? Object.entries(sightings) : [];
  return new Map(all.map(([program, isOn]) => [program, isOn === true]));
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

function textIn(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === "string" ? text : "";
}

function numberIn(value: unknown, name: string): number | undefined {
  const number = fieldOf(value, name);
  return typeof number === "number" ? number : undefined;
}

/** The server's settings, as far as a person wants to see them: who works with what, and what may be spent. Pure. */
import { fieldsOf, listOf, textOf, type Fields } from "../../app/server/json-fields.ts";

export interface ShownAgent {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly runtime: string;
  readonly model: string | undefined;
  /** What it may do in its workspace without asking; empty: as its runtime says. */
  readonly permissions: string;
}

export interface ShownRuntime {
  readonly name: string;
  readonly type: string;
  readonly about: string;
  readonly usedBy: readonly string[];
  readonly price: ShownPrice | undefined;
}

export interface ServerSettings {
  readonly agents: readonly ShownAgent[];
  readonly runtimes: readonly ShownRuntime[];
  readonly budgets: readonly ShownBudget[];
}

export interface ShownBudget {
  readonly name: string;
  readonly tokens: number | undefined;
  /** In dollars. */
  readonly cost: number | undefined;
}

/** In dollars for a million tokens. */
export interface ShownPrice {
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number | undefined;
}

/** `models` is by the handle that an agent has at the gateway. */
export function readServerSettings(
  config: Fields,
  models: ReadonlyMap<string, string>,
): ServerSettings {
  const agents = listOf(config["crew"]).map((agent) => ({
    id: textOf(agent["id"]),
    name: textOf(agent["name"]),
    role: textOf(agent["role"]),
    runtime: textOf(agent["runtime"]),
    model: models.get(textOf(agent["handle"])),
    permissions: textOf(agent["permissions"]),
  }));
  const runtimes = Object.entries(fieldsOf(config["runtimes"])).map(([name, settings]) => {
    const { type, ...others } = fieldsOf(settings);
    const usedBy = agents.filter(({ runtime }) => runtime === name).map((agent) => agent.name);
    const price = priceIn(fieldsOf(others["price"]));
    return { name, type: textOf(type), about: aboutOf(others), usedBy, price };
  });
  const budgets = Object.entries(fieldsOf(config["budgets"])).map(([name, budget]) => {
    const { tokens, cost } = fieldsOf(budget);
    return { name, tokens: numberOf(tokens), cost: numberOf(cost) };
  });
  return { agents, runtimes, budgets };
}

function priceIn(price: Fields): ShownPrice | undefined {
  const input = numberOf(price["inputPerMillion"]);
  const output = numberOf(price["outputPerMillion"]);
  if (input === undefined || output === undefined) return undefined;
  return { input, output, cachedInput: numberOf(price["cachedInputPerMillion"]) };
}

const TELLING = ["model", "provider", "baseUrl", "command", "url", "transport", "cwd"] as const;

function aboutOf(settings: Fields): string {
  return TELLING.flatMap((name) => {
    const value = settings[name];
    if (Array.isArray(value)) return [value.join(" ")];
    return typeof value === "string" ? [value] : [];
  }).join(" · ");
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

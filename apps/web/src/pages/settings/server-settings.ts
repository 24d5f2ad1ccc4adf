/** The server's settings, as far as a person wants to see them: who works with what, and what may be spent. Pure. */
export interface ShownAgent {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly runtime: string;
  readonly model: string | undefined;
}

export interface ShownRuntime {
  readonly name: string;
  readonly type: string;
  readonly about: string;
  readonly usedBy: readonly string[];
}

export interface ServerSettings {
  readonly agents: readonly ShownAgent[];
  readonly runtimes: readonly ShownRuntime[];
  readonly budgets: readonly { readonly name: string; readonly tokens: number | undefined }[];
}

type Fields = Readonly<Record<string, unknown>>;

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
  }));
  const runtimes = Object.entries(fieldsOf(config["runtimes"])).map(([name, settings]) => {
    const { type, ...others } = fieldsOf(settings);
    const usedBy = agents.filter(({ runtime }) => runtime === name).map((agent) => agent.name);
    return { name, type: textOf(type), about: aboutOf(others), usedBy };
  });
  const budgets = Object.entries(fieldsOf(config["budgets"])).map(([name, budget]) => {
    const { tokens } = fieldsOf(budget);
    return { name, tokens: typeof tokens === "number" ? tokens : undefined };
  });
  return { agents, runtimes, budgets };
}

const TELLING = ["model", "provider", "baseUrl", "command", "url", "transport", "cwd"];

function aboutOf(settings: Fields): string {
  return TELLING.flatMap((name) => {
    const value = settings[name];
    if (Array.isArray(value)) return [value.join(" ")];
    return typeof value === "string" ? [value] : [];
  }).join(" · ");
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

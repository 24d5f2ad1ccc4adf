/**
 * What agents bring along, put into the settings of their runtime: MCP servers and skills of the agent itself, and of the
 * repository it works in. The runtime's own come first, then the repository's, then the agent's: of one name the
 * last counts.
 */
import type { McpServers } from "./mcp-server-settings.ts";
import { inFolder, type RuntimeSettings } from "./runtime-settings.ts";

/** Of an agent or of a repository. */
export interface Brought {
  readonly mcpServers?: McpServers;
  /** Absolute paths. */
  readonly skills?: readonly string[];
}

/** Of a runtime as one agent has it in one place. */
export type PlacedSettings = RuntimeSettings & Pick<Brought, "skills">;

type Kind = keyof Brought;

const KINDS: readonly Kind[] = ["mcpServers", "skills"];

const TAKES: Readonly<Record<RuntimeSettings["type"], readonly Kind[]>> = {
  "claude-code": ["mcpServers", "skills"],
  codex: ["mcpServers", "skills"],
  acp: ["mcpServers", "skills"],
  model: ["mcpServers", "skills"],
  command: ["mcpServers", "skills"],
  cline: ["skills"],
  openclaw: [],
  rehearsal: [],
};

export function canTake(settings: RuntimeSettings, kind: Kind): boolean {
  // A program on the bridge is told messages and nothing else.
  const isBridge = settings.type === "claude-code" && settings.transport === "bridge";
  return TAKES[settings.type].includes(kind) && !(isBridge && kind === "skills");
}

/** What its agents cannot be given. */
export function kindsLeftOut(settings: RuntimeSettings): readonly Kind[] {
  return KINDS.filter((kind) => !canTake(settings, kind));
}

/** The types of runtime that take it, for people. */
export function whoTakes(kind: Kind): string {
  return Object.entries(TAKES)
    .flatMap(([type, kinds]) => (kinds.includes(kind) ? [type] : []))
    .join(", ");
}

export function bringsAnything({ mcpServers = {}, skills = [] }: Brought): boolean {
  return Object.keys(mcpServers).length > 0 || skills.length > 0;
}

/** The same for an agent in its place; undefined: it is as for everyone. What the runtime cannot take is left out. */
export function forAgent(
  settings: RuntimeSettings,
  agent: Brought & { readonly cwd?: string },
  repository: Brought = {},
): PlacedSettings | undefined {
  const { cwd } = agent;
  const moved = cwd === undefined ? undefined : inFolder(settings, cwd);
  const skills = canTake(settings, "skills")
    ? [...(repository.skills ?? []), ...(agent.skills ?? [])]
    : [];
  const servers = { ...repository.mcpServers, ...agent.mcpServers };
  const equipped =
    Object.keys(servers).length === 0 ? undefined : withServers(moved ?? settings, servers);
  const placed = equipped ?? moved;
  return skills.length === 0 ? placed : { ...(placed ?? settings), skills };
}

/** Undefined: it takes none. */
function withServers(settings: RuntimeSettings, servers: McpServers): RuntimeSettings | undefined {
  switch (settings.type) {
    case "acp":
    case "claude-code":
    case "codex":
    case "command":
    case "model":
      return { ...settings, mcpServers: { ...settings.mcpServers, ...servers } };
    case "cline":
    case "rehearsal":
    case "openclaw":
      return undefined;
  }
}

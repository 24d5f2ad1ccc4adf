/**
 * What agents bring along, where their program has no way to be given it: we open their MCP servers and offer the tools,
 * and we tell them of their skills. Every runtime has one way for each, and this says which.
 */
import type { McpPlace, McpRuntimeDeps } from "./mcp/mcp-runtime.ts";
import type { PlacedSettings } from "./settings/brought-settings.ts";
import { equipServers, type EquippedServer } from "./settings/mcp-server-settings.ts";
import type { RuntimeSettings, SettingsOf } from "./settings/runtime-settings.ts";
import type { SkillRoute } from "./skills/skilled-runtime.ts";
import type { AgentRuntime } from "./turn/agent-runtime.ts";

type ReadEnv = (name: string) => string | undefined;

export interface Equipping extends McpRuntimeDeps {
  /** Of the runtime. */
  readonly name: string;
  readonly place: () => McpPlace;
  readonly readEnv: ReadEnv;
}

/** With the MCP servers and skills that its agent cannot be given in a way of its own. */
export async function equipRuntime(
  runtime: AgentRuntime,
  settings: PlacedSettings,
  { name, place, readEnv, ...deps }: Equipping,
): Promise<AgentRuntime> {
  const { skills = [] } = settings;
  const servers = await bridgedServers(name, settings, readEnv);
  let equipped = runtime;
  if (servers.length > 0) {
    const { withMcpTools } = await import("./mcp/mcp-runtime.ts");
    equipped = withMcpTools(equipped, servers, place(), deps);
  }
  if (skills.length > 0) {
    const { withSkills } = await import("./skills/skilled-runtime.ts");
    equipped = withSkills(equipped, skills, await skillRouteOf(settings));
  }
  return equipped;
}

/** Those that we open for it, because its program takes none, or not such. */
async function bridgedServers(
  name: string,
  settings: RuntimeSettings,
  readEnv: ReadEnv,
): Promise<readonly EquippedServer[]> {
  switch (settings.type) {
    case "model":
    case "command":
      return equipServers(`runtime "${name}"`, settings.mcpServers, readEnv);
    case "acp":
      return (await acpServersOf(name, settings, readEnv)).bridged;
    case "claude-code":
    case "codex":
    case "cline":
    case "openclaw":
    case "rehearsal":
      return [];
  }
}

/** A program that takes no servers which it would have to start gets their tools from us. */
export async function acpServersOf(
  name: string,
  settings: SettingsOf<"acp">,
  readEnv: ReadEnv,
): Promise<Readonly<Record<"bridged" | "handedOn", readonly EquippedServer[]>>> {
  const { programOf } = await import("./acp/launch/programs.ts");
  const { toolTransport } = programOf(settings.program, settings.command);
  const all = equipServers(`runtime "${name}"`, settings.mcpServers, readEnv);
  const isBridged = (server: EquippedServer): boolean =>
    toolTransport === "http" && "command" in server;
  return {
    bridged: all.filter(isBridged),
    handedOn: all.filter((server) => !isBridged(server)),
  };
}

async function skillRouteOf(settings: RuntimeSettings): Promise<SkillRoute> {
  switch (settings.type) {
    case "claude-code":
    case "codex":
      return "own";
    case "acp": {
      const { programOf } = await import("./acp/launch/programs.ts");
      const { startsWith } = programOf(settings.program, settings.command);
      return startsWith === undefined ? "tool" : "own";
    }
    case "cline":
      return "files";
    case "command":
    case "model":
    case "openclaw":
    case "rehearsal":
      return "tool";
  }
}

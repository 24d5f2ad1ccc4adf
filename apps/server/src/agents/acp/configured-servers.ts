/** The MCP servers of the settings as an ACP session is given them. */
import type { McpCapabilities, McpServer } from "@agentclientprotocol/sdk";
import type { EquippedServer } from "../settings/mcp-server-settings.ts";

/** Those that the agent cannot reach, as far as it says. */
export function unreachableServers(
  servers: readonly EquippedServer[],
  takes: McpCapabilities | undefined,
): readonly string[] {
  if (takes?.http === true) return [];
  return servers.flatMap((server) => ("url" in server ? [server.name] : []));
}

export function acpServers(servers: readonly EquippedServer[]): McpServer[] {
  return servers.map((server) => {
    const { name } = server;
    if ("url" in server) {
      return { type: "http", name, url: server.url, headers: pairs(server.headers) };
    }
    return { name, command: server.command, args: [...server.args], env: pairs(server.env) };
  });
}

function pairs(values: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

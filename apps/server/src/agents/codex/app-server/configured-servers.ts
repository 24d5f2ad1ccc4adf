/** MCP servers of the settings, in the form in which Codex is told of them. */
import type { EquippedServer } from "../../settings/mcp-server-settings.ts";

/** Codex's configuration, by its own names. */
export function configuredServers(
  servers: readonly EquippedServer[],
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    servers.map((server) => [`mcp_servers.${server.name}`, configurationOf(server)]),
  );
}

/** Those of its user, switched off: they are merged with what a thread is started with. */
export function withoutServers(names: readonly string[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(names.map((name) => [`mcp_servers.${name}.enabled`, false]));
}

function configurationOf(server: EquippedServer): object {
  if ("url" in server) return { url: server.url, http_headers: server.headers };
  const { command, args, env } = server;
  return { command, args, env };
}

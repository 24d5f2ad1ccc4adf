/** An agent by id or name, as people call it. */
import type { GatewayClient } from "@atrium/client";
import { CliError } from "../command-line/cli-error.ts";

export function findAgent(client: GatewayClient, called: string): string {
  const agents = client.hello?.snapshot.health.agents ?? [];
  const wanted = called.toLowerCase();
  const found = agents.find(
    ({ agentId, name }) => agentId.toLowerCase() === wanted || name.toLowerCase() === wanted,
  );
  if (found !== undefined) return found.agentId;
  throw new CliError(`Unknown agent: ${called}`, {
    advice: `Agents: ${agents.map(({ agentId, name }) => `${agentId} (${name})`).join(", ")}`,
  });
}

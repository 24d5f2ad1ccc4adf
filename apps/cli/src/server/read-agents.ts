/** Which agents a server has, and what they are doing. */
import type { GatewayClient } from "@atrium/client";

export interface AgentLine {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly conversations: number;
}

/** The agents, and the model behind each. */
export async function readAgents(client: GatewayClient): Promise<AgentLine[]> {
  const { agents } = await client.call("health", {});
  return Promise.all(
    agents.map(async ({ agentId, name, sessions }) => {
      const { modelProvider, model } = await client.call("chat.metadata", { agentId });
      const conversations = sessions.count;
      return { id: agentId, name, provider: modelProvider, model, conversations };
    }),
  );
}

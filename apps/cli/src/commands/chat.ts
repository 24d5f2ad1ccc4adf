/** `atrium chat`: one message and its answer, or a conversation back and forth. */
import { text } from "node:stream/consumers";
import type { GatewayClient } from "@atrium/client";
import { Complaint, EXIT } from "../complaint.ts";
import { readArgs, SERVER_OPTIONS } from "../read-args.ts";
import { findServer } from "../server/find-server.ts";
import { meetServer } from "../server/meet-server.ts";
import type { Surroundings } from "../surroundings.ts";
import { USAGE } from "../usage.ts";
import { converse } from "./chat/converse.ts";
import { exitCodeOf, takeTurn, type Partner } from "./chat/take-turn.ts";

export async function chat(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  const { values, positionals } = readArgs(args, {
    ...SERVER_OPTIONS,
    agent: { type: "string" },
    session: { type: "string" },
  });
  if (values.help === true) {
    terminal.out(USAGE);
    return EXIT.ok;
  }
  const place = findServer(values, surroundings);
  const given = positionals.join(" ");
  const isOneTurn = given !== "" || !terminal.hasPerson;
  const message = given !== "" ? given : isOneTurn ? (await text(terminal.stdin)).trim() : "";
  if (isOneTurn && message === "") {
    throw new Complaint("There is nothing to say.", {
      advice: "Give a message: atrium chat hello",
      exitCode: EXIT.misused,
    });
  }
  await using client = await meetServer(place);
  const partner = findPartner(client, values.session ?? "main", values.agent);
  if (!isOneTurn) return await converse(client, partner, terminal);
  return exitCodeOf(await takeTurn(client, partner, message, terminal));
}

/** Who is talked to: an agent by id or name, in its main conversation unless another is named. */
function findPartner(
  client: GatewayClient,
  sessionKey: string,
  agent: string | undefined,
): Partner {
  if (agent === undefined) return { sessionKey };
  const agents = client.hello?.snapshot.health.agents ?? [];
  const wanted = agent.toLowerCase();
  const found = agents.find(
    ({ agentId, name }) => agentId.toLowerCase() === wanted || name.toLowerCase() === wanted,
  );
  if (found !== undefined) return { sessionKey, agentId: found.agentId };
  throw new Complaint(`There is no agent ${agent}.`, {
    advice: `These are: ${agents.map(({ agentId, name }) => `${agentId} (${name})`).join(", ")}`,
  });
}

/** `atrium chat`: one message and its answer, or a conversation back and forth. */
import { text } from "node:stream/consumers";
import { command } from "../command-line/command.ts";
import { usageError, SERVER_OPTIONS } from "../command-line/read-args.ts";
import { connectServer } from "../server/connect-server.ts";
import { findAgent } from "../server/find-agent.ts";
import { findServer } from "../server/find-server.ts";
import { converse } from "./chat/converse.ts";
import { exitCodeOf, takeTurn } from "./chat/take-turn.ts";

export const chat = command({
  name: "chat",
  calls: [["chat [MESSAGE…]", "send a message, or open a chat"]],
  options: {
    agent: { type: "string", takes: "NAME", help: "the agent, by id or name" },
    session: { type: "string", takes: "KEY", help: "the conversation" },
    ...SERVER_OPTIONS,
  },
  examples: ['atrium chat --agent eng_1 "what are you working on?"', "git diff | atrium chat"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const { terminal } = environment;
    const place = await findServer(values, environment);
    const given = positionals.join(" ");
    const isOneTurn = given !== "" || !terminal.hasPerson;
    const message = given !== "" ? given : isOneTurn ? (await text(terminal.stdin)).trim() : "";
    if (isOneTurn && message === "") {
      throw usageError("chat", "The message is empty. Add one: atrium chat hello");
    }
    await using client = await connectServer(place);
    const { session: sessionKey = "main", agent } = values;
    const partner = {
      sessionKey,
      ...(agent !== undefined && { agentId: findAgent(client, agent) }),
    };
    if (!isOneTurn) return await converse(client, partner, terminal);
    return exitCodeOf(await takeTurn(client, partner, message, terminal));
  },
});

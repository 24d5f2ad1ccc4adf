/** `atrium sessions show`: a conversation as it was held. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { CliError } from "../command-line/cli-error.ts";
import type { CommandResult } from "../command-line/subcommands.ts";
import { count, shortPath } from "../terminal/measures.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainLine, plainText } from "../terminal/plain-text.ts";

type Message = CallResult<"chat.history">["messages"][number];
type Part = Message["content"][number];

const ONE_LINE = 100;
const REASON_LENGTH = 500;

export function noConversation(key: string): CliError {
  return new CliError(`No conversation has the key ${key}.`, {
    advice: "To list them, run: atrium sessions",
  });
}

export async function showConversation(
  client: GatewayClient,
  key: string,
  limit: number,
): Promise<CommandResult> {
  const { session } = await client.call("sessions.describe", { key });
  if (session === null) throw noConversation(key);
  const page = await client.call("chat.history", { sessionKey: key, limit });
  const { agentName } = await client.call("chat.metadata", { sessionKey: key });
  const text = (paint: Paint): string => {
    const label = session.label === undefined ? "" : ` ${plainLine(session.label, ONE_LINE)}`;
    const older = page.totalMessages - page.messages.length;
    return [
      `${paint.strong(session.key)}${label}\n`,
      older > 0 ? `${paint.quiet(`${count(older, "earlier message")}; see --limit`)}\n` : "",
      ...page.messages.map((message) =>
        renderMessage(message, plainLine(agentName, ONE_LINE), paint),
      ),
    ].join("");
  };
  return { json: { session, messages: page.messages }, text };
}

function renderMessage(message: Message, agentName: string, paint: Paint): string {
  const text = message.content.map((part) => partText(part)).join("\n");
  const tool = message.content.find(({ type }) => type === "toolCall");
  if (tool?.type === "toolCall") {
    const input = plainLine(JSON.stringify(tool.arguments) ?? "", ONE_LINE);
    return paint.quiet(`  · ${plainLine(tool.name, ONE_LINE)} ${input}\n`);
  }
  if (message.role === "toolResult") {
    const line = `    ${plainLine(text, ONE_LINE)}\n`;
    return message.isError === true ? paint.bad(line) : paint.quiet(line);
  }
  const who = message.role === "user" ? paint.link("you") : paint.strong(agentName);
  const at = paint.quiet(new Date(message.timestamp).toLocaleString());
  const lines = [plainText(text), howItEnded(message, paint)].filter((line) => line !== "");
  return `\n${who}  ${at}\n${lines.join("\n")}\n`;
}

/** Nothing for a turn that came to its end. */
function howItEnded(message: Message, paint: Paint): string {
  if (message.openclawAbort !== undefined) return paint.quiet("(stopped)");
  if (message.stopReason !== "error") return "";
  const why = message.errorMessage ?? "no reason given";
  return paint.bad(`(failed: ${plainLine(why, REASON_LENGTH)})`);
}

function partText(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "attachment":
      return `[${shortPath(part.fileName)}, ${part.mimeType}]`;
    case "toolCall":
      return "";
  }
}

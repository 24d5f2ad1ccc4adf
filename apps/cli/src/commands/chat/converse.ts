/** Talking back and forth. Each line is a message; /commands are messages too, the server knows them. */
import type { GatewayClient } from "@atrium/client";
import { EXIT } from "../../command-line/cli-error.ts";
import { count } from "../../terminal/measures.ts";
import { plainLine } from "../../terminal/plain-text.ts";
import { readLine } from "../../terminal/read-line.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { takeTurn, type Partner } from "./take-turn.ts";

const FAREWELLS: ReadonlySet<string> = new Set(["/exit", "/quit"]);
const NAME_LENGTH = 60;

export async function converse(
  client: GatewayClient,
  partner: Partner,
  terminal: Terminal,
): Promise<number> {
  terminal.out(await introduction(client, partner, terminal));
  const history: string[] = [];
  const prompt = `${terminal.paint.link("›")} `;
  for (;;) {
    const line = await readLine(terminal, { prompt, history });
    if (line === undefined || FAREWELLS.has(line.trim())) return EXIT.ok;
    if (line.trim() === "") continue;
    const end = await takeTurn(client, partner, line, terminal);
    if (end === "left") return EXIT.interrupted;
    terminal.out("\n");
  }
}

async function introduction(
  client: GatewayClient,
  partner: Partner,
  { paint }: Terminal,
): Promise<string> {
  const { sessionKey: key, ...agent } = partner;
  const about = await client.call("chat.metadata", { sessionKey: key, ...agent });
  const { session } = await client.call("sessions.describe", { key, ...agent });
  const name = plainLine(session?.label ?? about.agentName, NAME_LENGTH);
  const model = plainLine(`${about.modelProvider}/${about.model}`, NAME_LENGTH);
  const before = session === null ? "" : `, ${count(session.totalMessages, "message")} so far`;
  return [
    `${paint.strong(name)} ${paint.quiet(`${model}${before}`)}\n`,
    paint.quiet("/help lists the commands. Ctrl-C stops an answer, Ctrl-D exits.\n\n"),
  ].join("");
}

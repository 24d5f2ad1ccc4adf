/**
 * Talking back and forth. Each line is a message; /commands are messages too, the server knows them.
 *
 * The line editor exists only while a line is written: during an answer the terminal is an ordinary one,
 * in which Ctrl-C is a signal and what is typed ahead waits for the next prompt.
 */
import { createInterface } from "node:readline";
import type { GatewayClient } from "@atrium/client";
import { EXIT } from "../../complaint.ts";
import { count } from "../../terminal/measures.ts";
import { plainLine } from "../../terminal/plain-text.ts";
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
  for (;;) {
    const line = await readLine(terminal, history);
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
    paint.quiet("/help shows the commands. Ctrl-C stops an answer, Ctrl-D leaves.\n\n"),
  ].join("");
}

/** Undefined when the person has left. Lines that were pasted together are one message. */
function readLine(terminal: Terminal, history: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const prompt = `${terminal.paint.link("›")} `;
    const editor = createInterface({
      input: terminal.stdin,
      output: terminal.stdout,
      history: [...history],
      prompt,
    });
    const lines: string[] = [];
    editor.on("line", (line) => {
      lines.push(line);
      if (lines.length > 1) return;
      setImmediate(() => editor.close());
    });
    editor.on("history", (kept: string[]) => history.splice(0, history.length, ...kept));
    editor.on("SIGINT", () => {
      if (editor.line === "") {
        editor.close();
        return;
      }
      // What was begun is dropped; the next Ctrl-C leaves.
      terminal.out("\n");
      editor.write(null, { ctrl: true, name: "e" });
      editor.write(null, { ctrl: true, name: "u" });
      editor.prompt();
    });
    editor.on("close", () => {
      if (lines.length === 0) terminal.out("\n");
      resolve(lines.length === 0 ? undefined : lines.join("\n"));
    });
    editor.prompt();
  });
}

/** `atrium sessions`: the conversations, what was said in them, and what can be done with them. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { command } from "../command-line/command.ts";
import { readLimit, SERVER_OPTIONS } from "../command-line/read-args.ts";
import type { CommandResult, Subcommands } from "../command-line/subcommands.ts";
import { columns } from "../terminal/columns.ts";
import { ago, count } from "../terminal/measures.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { runSubcommand } from "./run-subcommand.ts";
import { noConversation, showConversation } from "./show-conversation.ts";

type SessionRow = CallResult<"sessions.list">["sessions"][number];

const DEFAULT_LIMIT = 50;
const MAX_SESSIONS = 1_000;
const TITLE_LENGTH = 40;

const SUBCOMMANDS: Subcommands = {
  list: { takes: [], run: (client, _given, limit) => list(client, limit) },
  show: {
    takes: ["KEY"],
    run: (client, [key = ""], limit) => showConversation(client, key, limit),
  },
  rename: {
    takes: ["KEY", "LABEL"],
    async run(client, [key = "", label = ""]) {
      const done = await client.call("sessions.patch", { key, label });
      return { json: done, text: () => `${done.key} is now called ${plainLine(label, 512)}.\n` };
    },
  },
  reset: {
    takes: ["KEY"],
    async run(client, [key = ""]) {
      const done = await client.call("sessions.reset", { key });
      return { json: done, text: () => `${done.key} is reset.\n` };
    },
  },
  delete: {
    takes: ["KEY"],
    async run(client, [key = ""]) {
      const done = await client.call("sessions.delete", { key });
      if (!done.deleted) throw noConversation(key);
      return { json: done, text: () => `${done.key} is deleted.\n` };
    },
  },
};

export const sessions = command({
  name: "sessions",
  calls: [
    ["sessions [list]", "list the conversations"],
    ["sessions show KEY", "show the messages of one"],
    ["sessions rename KEY LABEL", "rename one"],
    ["sessions reset KEY", "start it again with an empty transcript"],
    ["sessions delete KEY", "delete one"],
  ],
  options: {
    limit: { type: "string", takes: "N", help: `show at most N, up to ${MAX_SESSIONS}` },
    json: { type: "boolean", help: "print JSON" },
    ...SERVER_OPTIONS,
  },
  examples: ["atrium sessions show main --limit 10"],
  takesWords: true,
  async run(given, environment) {
    const limits = { usual: DEFAULT_LIMIT, most: MAX_SESSIONS };
    const limit = readLimit("sessions", given.values.limit, limits);
    return runSubcommand("sessions", SUBCOMMANDS, given, environment, limit);
  },
});

async function list(client: GatewayClient, limit: number): Promise<CommandResult> {
  const page = await client.call("sessions.list", {
    limit,
    includeDerivedTitles: true,
    includeLastMessage: true,
  });
  return {
    json: page,
    text(paint, now) {
      if (page.sessions.length === 0) {
        return `No conversations yet. To start one, run: atrium chat hello\n`;
      }
      const left = page.totalCount - page.count;
      const more = left === 0 ? "" : `\n${paint.quiet(`${left} more; see --limit`)}\n`;
      return (
        columns(
          page.sessions.map((row) => rowOf(row, paint, now)),
          "",
        ) + more
      );
    },
  };
}

function rowOf(row: SessionRow, paint: Paint, now: number): string[] {
  const title = row.label ?? row.derivedTitle ?? row.lastMessagePreview ?? "";
  const name = plainLine(title, TITLE_LENGTH);
  const when = row.updatedAt === null ? "" : ago(now - row.updatedAt);
  const state = row.hasActiveRun ? paint.good(row.status ?? "running") : "";
  return [
    row.key,
    row.label === undefined ? paint.quiet(name) : name,
    paint.quiet(count(row.totalMessages, "message")),
    paint.quiet(when),
    state,
  ];
}

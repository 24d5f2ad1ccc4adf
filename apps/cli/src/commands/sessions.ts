/** `atrium sessions`: the conversations, what was said in them, and what can be done with them. */
import type { CallResult, GatewayClient } from "@atrium/client";
import { EXIT } from "../complaint.ts";
import { misused, readArgs, SERVER_OPTIONS } from "../read-args.ts";
import { findServer } from "../server/find-server.ts";
import { meetServer } from "../server/meet-server.ts";
import type { Surroundings } from "../surroundings.ts";
import { columns } from "../terminal/columns.ts";
import { ago, count } from "../terminal/measures.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { USAGE } from "../usage.ts";
import { showConversation, type Told } from "./show-conversation.ts";

type SessionRow = CallResult<"sessions.list">["sessions"][number];

const DEFAULT_LIMIT = 50;
const MOST = 1_000;
const TITLE_LENGTH = 40;

/** What each does once there is a server: what it is called with, and what it has to say. */
interface Deed {
  readonly takes: readonly string[];
  readonly run: (client: GatewayClient, given: readonly string[], limit: number) => Promise<Told>;
}

const DEEDS: Readonly<Record<string, Deed>> = {
  list: { takes: [], run: (client, _given, limit) => list(client, limit) },
  show: {
    takes: ["KEY"],
    run: (client, [key = ""], limit) => showConversation(client, key, limit),
  },
  rename: {
    takes: ["KEY", "LABEL"],
    async run(client, [key = "", label = ""]) {
      const done = await client.call("sessions.patch", { key, label });
      return { json: done, text: () => `${done.key} is called ${plainLine(label, 512)} now.\n` };
    },
  },
  reset: {
    takes: ["KEY"],
    async run(client, [key = ""]) {
      const done = await client.call("sessions.reset", { key });
      return { json: done, text: () => `${done.key} begins afresh.\n` };
    },
  },
  delete: {
    takes: ["KEY"],
    async run(client, [key = ""]) {
      const done = await client.call("sessions.delete", { key });
      const text = done.deleted ? `${done.key} is deleted.\n` : `There is no ${done.key}.\n`;
      return { json: done, text: () => text };
    },
  },
};

export async function sessions(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { terminal } = surroundings;
  const { values, positionals } = readArgs(args, {
    ...SERVER_OPTIONS,
    json: { type: "boolean" },
    limit: { type: "string" },
  });
  if (values.help === true) {
    terminal.out(USAGE);
    return EXIT.ok;
  }
  const [name = "list", ...given] = positionals;
  const deed = Object.hasOwn(DEEDS, name) ? DEEDS[name] : undefined;
  if (deed === undefined) throw misused(`There is no atrium sessions ${name}.`);
  if (given.length !== deed.takes.length) {
    throw misused(`It is called as: atrium ${["sessions", name, ...deed.takes].join(" ")}`);
  }
  const limit = readLimit(values.limit);
  await using client = await meetServer(findServer(values, surroundings));
  const told = await deed.run(client, given, limit);
  terminal.out(
    values.json === true
      ? `${JSON.stringify(told.json)}\n`
      : told.text(terminal.paint, surroundings.now()),
  );
  return EXIT.ok;
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MOST) return limit;
  throw misused(`--limit takes a number from 1 to ${MOST}`);
}

async function list(client: GatewayClient, limit: number): Promise<Told> {
  const page = await client.call("sessions.list", {
    limit,
    includeDerivedTitles: true,
    includeLastMessage: true,
  });
  return {
    json: page,
    text(paint, now) {
      if (page.sessions.length === 0) {
        return `Nobody has said anything yet. Begin with: atrium chat hello\n`;
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
